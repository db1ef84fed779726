import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createArraySource, openEmbeddedStore, runIndexer, verifyIndex } from "@nodewright/bitcoin-indexer";
import { buildOptionalIndexes, changeOptionalRow, RegtestChain } from "@nodewright/bitcoin-indexer/testing";
import { networks } from "@nodewright/bitcoin-primitives";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type VerifyRequest, verifyIndexes } from "./verify-indexes.ts";

vi.mock("@nodewright/bitcoin-indexer", async (original) => {
  const indexer = await original<typeof import("@nodewright/bitcoin-indexer")>();
  return { ...indexer, verifyIndex: vi.fn(indexer.verifyIndex) };
});

const network = networks.regtest;

/** Returns the beginning of one chain. */
function blocksOf(count: number): readonly Uint8Array[] {
  const chain = new RegtestChain();
  const blocks = [chain.genesis.bytes];
  for (let tip = chain.genesis; blocks.length < count; blocks.push(tip.bytes))
    tip = chain.extend(tip, Uint8Array.of(0x51));
  return blocks;
}

let data: string;
let index: string;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "nodewright-verify-"));
  index = join(data, "nodes", "bitcoin-regtest", "source");
  const store = await openEmbeddedStore(index, network);
  await runIndexer({ store, source: createArraySource(network, blocksOf(9)) });
  await store.close();
});

afterEach(() => rmSync(data, { recursive: true }));

async function run(request: Partial<VerifyRequest> = {}, signal = new AbortController().signal) {
  let text = "";
  const output = { write: (part: string) => (text += part) };
  // The number of updates depends on the duration.
  const progress = { write: () => undefined };
  const code = await verifyIndexes({ dataDirectory: data, json: false, ...request }, { output, progress }, signal);
  return { code, text };
}

function damageBlockFile(): string {
  const file = join(index, "blocks", "blk00000.dat");
  const bytes = readFileSync(file);
  bytes[bytes.length - 1] = 0xff;
  writeFileSync(file, bytes);
  return file;
}

describe("nodewright-service verify", () => {
  it("exits with 0 where all is sound, and says up to which height", async () => {
    expect(await run()).toEqual({ code: 0, text: `bitcoin-regtest: sound, up to height 8 (${index})\n` });
    const { code, text } = await run({ json: true, scratchDirectory: join(data, "scratch") });
    expect(code).toBe(0);
    expect(JSON.parse(text)).toEqual([
      {
        node: "bitcoin-regtest",
        directory: index,
        verdict: "sound",
        height: 8,
        damaged: 0,
        areRowsCompared: true,
        optional: [],
        damage: [],
      },
    ]);
  });

  it("exits with 1 where something is damaged, and names the file and the byte", async () => {
    const file = damageBlockFile();
    const { code, text } = await run();
    expect(code).toBe(1);
    expect(text).toContain("bitcoin-regtest: damaged, up to height 8");
    expect(text).toMatch(new RegExp(`${RegExp.escape(file)}, byte \\d+, height 8: .*were changed`));
    expect(JSON.parse((await run({ json: true })).text)).toMatchObject([
      { verdict: "damaged", damage: [{ kind: "block", file, height: 8 }] },
    ]);
  });

  it("describes each optional index, and exits with 1 where a row of one is wrong", async () => {
    await buildOptionalIndexes(index, network, { blockFilters: true, coinStatistics: true });
    expect(await run()).toEqual({
      code: 0,
      text:
        `bitcoin-regtest: sound, up to height 8 (${index})\n` +
        "  block-filters: sound, up to height 8\n  coin-statistics: sound, up to height 8\n",
    });
    const directory = join(index, "optional", "block-filters");
    await changeOptionalRow(index, "block-filters", 5);
    const { code, text } = await run();
    expect(code).toBe(1);
    expect(text).toBe(
      `bitcoin-regtest: damaged, up to height 8 (${index})\n` +
        `  ${join(directory, "rows", "data.mdb")}, index block-filters, table best, height 5, key 00000005: this row has another value\n` +
        `  block-filters: damaged. Stop the service, delete ${directory} and start the service: it is made anew.\n` +
        "  coin-statistics: sound, up to height 8\n",
    );
    expect(JSON.parse((await run({ json: true })).text)).toMatchObject([
      {
        verdict: "damaged",
        areRowsCompared: true,
        optional: [
          { index: "block-filters", directory, height: 8, comparedHeight: 8, damaged: 1 },
          { index: "coin-statistics", height: 8, comparedHeight: 8, damaged: 0 },
        ],
        damage: [{ kind: "row", index: "block-filters", table: "best", height: 5, key: "00000005" }],
      },
    ]);
  });

  it("calls an optional index unfinished that has less blocks, and exits with 0", async () => {
    await buildOptionalIndexes(index, network, { blockFilters: true });
    const store = await openEmbeddedStore(index, network);
    const source = createArraySource(network, blocksOf(12));
    await runIndexer({ store, source });
    await store.close();
    expect(await run()).toEqual({
      code: 0,
      text:
        `bitcoin-regtest: sound, up to height 11 (${index})\n` +
        "  block-filters: unfinished, sound up to height 8 of 11\n",
    });
  });

  it("exits with 3 where an optional index has another layout, and says what to do", async () => {
    await buildOptionalIndexes(index, network, { coinStatistics: true });
    writeFileSync(join(index, "optional", "coin-statistics", "layout.json"), JSON.stringify({ layout: 99 }));
    const { code, text } = await run();
    expect(code).toBe(3);
    expect(text).toMatch(/coin-statistics: unverified\. .* have layout 99, .* delete that directory/);
  });

  it("does not compare optional indexes with a main index that is damaged", async () => {
    await buildOptionalIndexes(index, network, { blockFilters: true });
    damageBlockFile();
    const { code, text } = await run();
    expect(code).toBe(1);
    expect(text).toContain("  block-filters: its rows were not compared, because the main index is damaged.\n");
  });

  it("exits with 3 where it could not be checked", async () => {
    writeFileSync(join(index, "layout.json"), JSON.stringify({ layout: 1, network: "regtest" }));
    const { code, text } = await run();
    expect(code).toBe(3);
    expect(text).toContain("bitcoin-regtest: unverified");
    expect(text).toContain("has layout 1");
    const stopped = new AbortController();
    stopped.abort();
    expect((await run({}, stopped.signal)).code).toBe(3);
  });

  it("exits with 1 when it is ended after it has found damage", async () => {
    const stopping = new AbortController();
    vi.mocked(verifyIndex).mockImplementationOnce(async (_path, options) => {
      options?.onDamage?.({ kind: "block", file: "blk00000.dat", offset: 8, reason: "they were changed" });
      stopping.abort();
      throw stopping.signal.reason;
    });
    const { code, text } = await run({}, stopping.signal);
    expect(code).toBe(1);
    expect(text).toContain("bitcoin-regtest: damaged");
    expect(text).toContain("It was ended before its end.");
  });

  it.each([
    ["an option that there is not", ["--dat", "x"]],
    ["a directory without an index", ["--data", "/nonexistent"]],
  ])("as a command exits with 3 on %s", async (_what, options) => {
    const bin = join(import.meta.dirname, "..", "bin.ts");
    const child = spawn(process.execPath, ["--conditions=source", bin, "verify", ...options], { stdio: "ignore" });
    expect(await once(child, "exit")).toEqual([3, null]);
  });

  it("says where there is no index", async () => {
    await expect(run({ nodeId: "bitcoin-none" })).rejects.toThrow('no index of a node "bitcoin-none"');
    await expect(run({ dataDirectory: join(data, "none") })).rejects.toThrow("by --data");
  });
});
