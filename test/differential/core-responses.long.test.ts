import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { displayHash, networks, parseBlock } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoBlockFile } from "../end-to-end/demo-blocks.ts";
import { askRpc, waitUntil } from "../support/calls.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { askingService, type ComparedCall } from "./compared-response.ts";
import { enableAll } from "./compared-chain.ts";
import { isJsonObject, parseExactJson } from "./exact-json.ts";

/** A source tree of Bitcoin Core, whose test data are no part of this one. */
const core = process.env["NODEWRIGHT_BITCOIN_CORE"];
if (core === undefined)
  console.warn("NODEWRIGHT_BITCOIN_CORE names no source tree of Bitcoin Core: its answers are not compared.");

/** Blocks of Bitcoin Core's own test chain, and what it says of some of them. */
interface StatisticsData {
  readonly blocks: readonly string[];
  readonly stats: readonly { readonly height: unknown; readonly blockhash: string }[];
}

function readData(path: string): unknown {
  return parseExactJson(readFileSync(join(core ?? "", path), "utf8"));
}

/** Decoded transactions, as bitcoin-tx gives them. */
function readTransactions(): readonly { readonly hex: string }[] {
  const folder = "test/util/data";
  const names = readdirSync(join(core ?? "", folder)).filter((name) => /^(?:tt|tx).*\.json$/.test(name));
  return names.map((name) => readData(join(folder, name)) as { readonly hex: string });
}

/** Hexadecimal blocks as Bitcoin Core keeps them in files. */
function blockFileOf(blocks: readonly string[]): Buffer {
  return Buffer.concat(
    blocks.flatMap((hex) => {
      const bytes = Buffer.from(hex, "hex");
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [Buffer.from(networks.regtest.magic), length, bytes];
    }),
  );
}

describe.skipIf(core === undefined)("what Bitcoin Core publishes of its responses", { timeout: 60_000 }, () => {
  let statistics: StatisticsData;
  let directory: string;
  let service: StartedService;
  let node: ReadyNode;

  async function serve(network: "main" | "regtest", blocks: Buffer): Promise<void> {
    directory = mkdtempSync(join(tmpdir(), "nodewright-core-responses-"));
    const files = join(directory, "blocks");
    mkdirSync(files);
    writeFileSync(join(files, "blk00000.dat"), blocks);
    service = await startService({
      parameters: ["--bitcoin-blocks", files, ...(network === "regtest" ? ["--bitcoin-network", "regtest"] : [])],
      dataDirectory: join(directory, "data"),
    });
    node = nodeOf(service, "bitcoin");
    enableAll(service.dataDirectory);
  }

  async function stop(): Promise<void> {
    await service?.stop();
    rmSync(directory, { recursive: true, force: true });
  }

  async function answersOf(calls: readonly ComparedCall[]): Promise<readonly unknown[]> {
    const answers = await askingService(node)(calls);
    return answers.map((answer) => (answer.kind === "result" ? answer.result : answer));
  }

  describe("on its test chain", () => {
    beforeAll(async () => {
      statistics = readData("test/functional/data/rpc_getblockstats.json") as StatisticsData;
      await serve("regtest", blockFileOf(statistics.blocks));
      const tip = statistics.blocks.length - 1;
      await waitUntil("all blocks are there", async () => (await askRpc(node, "getblockcount")).result === tip);
    });

    afterAll(stop);

    it("getblockstats, by height and by hash", async () => {
      const { stats } = statistics;
      expect(stats.length).toBeGreaterThan(2);
      for (const name of ["height", "blockhash"] as const) {
        const calls = stats.map((expected) => ({ method: "getblockstats", params: [expected[name]] }));
        expect(await answersOf(calls)).toEqual(stats);
      }
    });

    it("getblockstats, each value by itself", async () => {
      const asked = statistics.stats.flatMap((expected) =>
        Object.entries(expected).map(([name, value]) => ({ height: expected.height, name, value })),
      );
      const calls = asked.map(({ height, name }) => ({ method: "getblockstats", params: [height, [name]] }));
      const answers = [...(await answersOf(calls.slice(0, 50))), ...(await answersOf(calls.slice(50)))];
      expect(answers).toEqual(asked.map(({ name, value }) => ({ [name]: value })));
    });

    it("getblockhash and getblock, of the blocks that its data hold", async () => {
      const { blocks } = statistics;
      for (const half of [blocks.slice(0, 52), blocks.slice(52)]) {
        const hashes = half.map((hex) => displayHash(parseBlock(Buffer.from(hex, "hex")).header.hash));
        const heights = half.map((hex) => ({ method: "getblockhash", params: [blocks.indexOf(hex)] }));
        expect(await answersOf(heights)).toEqual(hashes);
        expect(await answersOf(hashes.map((hash) => ({ method: "getblock", params: [hash, 0] })))).toEqual(half);
      }
    });

    it("decodescript", async () => {
      const scripts = readData("test/functional/data/rpc_decodescript.json") as readonly (readonly [string, unknown])[];
      expect(scripts.length).toBeGreaterThan(5);
      const calls = scripts.map(([script]) => ({ method: "decodescript", params: [script] }));
      expect(await answersOf(calls)).toEqual(scripts.map(([, expected]) => expected));
    });
  });

  describe("on the main network", () => {
    beforeAll(async () => await serve("main", demoBlockFile(2)));

    afterAll(stop);

    it("decoderawtransaction", async () => {
      const transactions = readTransactions();
      expect(transactions.length).toBeGreaterThan(20);
      const calls = transactions.map(({ hex }) => ({ method: "decoderawtransaction", params: [hex] }));
      const answers = await answersOf(calls);
      // bitcoin-tx, which gives these, has the bytes beside what it decodes.
      const found = answers.map((answer, at) =>
        isJsonObject(answer) && answer["txid"] !== undefined ? { ...answer, hex: transactions[at]?.hex } : answer,
      );
      expect(found).toEqual(transactions);
    });
  });
});
