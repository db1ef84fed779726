import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainQueries,
  createArraySource,
  createBlockFileSource,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { displayHash, networks, toHex } from "@nodewright/bitcoin-primitives";
import { buildChain, type ChainOptions, playInto, playStep, writeBlockFiles } from "@nodewright/bitcoin-test-chain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { requireProgram } from "../support/requirement.ts";

const network = networks.regtest;
const { path } = requireProgram("btcd");

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-test-chain-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe("the indexer over a test chain", () => {
  const options: ChainOptions = {
    seed: 11,
    transactions: 900,
    staleBranches: { count: 3, depth: 5 },
    signatures: "placeholder",
  };

  it("verifies every block, those of stale branches too, and ends on the best chain", async () => {
    const chain = buildChain(options);
    const source = createArraySource(network);
    const store = await openEmbeddedStore(join(directory, "data"), network);
    let branch: number | undefined;
    let branchTip = "";
    for await (const block of chain.blocks) {
      // Before the best chain takes over again, the branch is what there is: it is verified and connected.
      if (branch !== undefined && block.branch === undefined) {
        await runIndexer({ store, source });
        expect((await store.queries().tip())?.hash).toBe(branchTip);
      }
      source.add(block.bytes);
      branch = block.branch;
      branchTip = displayHash(block.hash);
    }
    await runIndexer({ store, source });
    expect(chain.staleBranches).toHaveLength(3);
    expect((await store.queries().tip())?.hash).toBe(chain.summary().tip);
    await expectHotScripts(store.queries(), chain.summary());
    await store.close();
  });

  it("reads the same from block files in any order, masked, split, with stale blocks and reserved space", async () => {
    const chain = buildChain(options);
    const blocks = join(directory, "blocks");
    await writeBlockFiles(blocks, chain, {
      order: "shuffled",
      xorKey: Buffer.from("00ff10203040a5c3", "hex"),
      maximumFileBytes: 100_000,
      withReservedSpace: true,
    });
    const store = await openEmbeddedStore(join(directory, "data"), network);
    await runIndexer({ store, source: createBlockFileSource(blocks, network) });
    expect(await store.queries().tip()).toMatchObject({ height: chain.summary().height, hash: chain.summary().tip });
    await expectHotScripts(store.queries(), chain.summary());
    await store.close();
  });

  async function expectHotScripts(
    queries: ChainQueries,
    { hotScripts }: ReturnType<ReturnType<typeof buildChain>["summary"]>,
  ): Promise<void> {
    for (const { scriptHash, transactions, funded, spent } of hotScripts) {
      expect(await queries.scriptStatistics(scriptHash)).toMatchObject({
        transactions,
        fundedOutputs: funded,
        spentOutputs: spent,
      });
    }
  }
});

describe.skipIf(path === undefined)("btcd over a test chain", { timeout: 120_000 }, () => {
  let btcd: BitcoinProgram;

  beforeEach(async () => {
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"));
    await btcd.start();
  });

  afterEach(async () => {
    await btcd.stop();
  });

  const options: ChainOptions = {
    seed: 7,
    transactions: 400,
    staleBranches: 3,
    mempool: 120,
    signatures: "real",
  };
  const mempoolOf = async (node: BitcoinProgram) => ((await node.call("getrawmempool")) as string[]).toSorted();

  it("accepts every block, goes over to every stale branch and comes back", async () => {
    const chain = buildChain({ ...options, mempool: 0 });
    await playInto(btcd, chain);
    const summary = chain.summary();
    expect(await btcd.call("getblockcount")).toBe(summary.height);
    expect(await btcd.call("getbestblockhash")).toBe(summary.tip);
    const tips = (await btcd.call("getchaintips")) as readonly { readonly hash: string; readonly status: string }[];
    const stale = chain.staleBranches.map(({ hashes }) => displayHash(hashes.at(-1) ?? new Uint8Array(32)));
    expect(
      tips
        .filter(({ status }) => status === "valid-fork")
        .map(({ hash }) => hash)
        .toSorted(),
    ).toEqual(stale.toSorted());
  });

  it("accepts every transaction of the mempool and drops what the chain says it drops", async () => {
    const chain = buildChain({ ...options, tipTime: Math.floor(Date.now() / 1000) });
    for await (const { bytes, height } of chain.blocks) {
      if (height > 0) expect(await btcd.call("submitblock", toHex(bytes))).toBeNull();
    }
    expect(await mempoolOf(btcd), "nothing of the stale branches is left over").toEqual([]);
    const expected = new Set<string>();
    for await (const step of chain.mempool) {
      await playStep(btcd, step);
      const gone =
        step.kind === "arrival"
          ? []
          : step.kind === "replacement"
            ? step.replaced
            : [...step.confirmed, ...step.conflicted];
      for (const txid of gone) expected.delete(displayHash(txid));
      if (step.kind !== "block") expected.add(displayHash(step.transaction.txid));
      if (step.kind !== "arrival") expect(await mempoolOf(btcd)).toEqual([...expected].toSorted());
    }
    expect(await mempoolOf(btcd)).toEqual([...expected].toSorted());
    expect(chain.summary().mempool).toMatchObject({ transactions: expected.size });
    expect(chain.summary().mempool.replacements).toBeGreaterThan(3);
  });

  it("refuses a block whose signatures are placeholders", async () => {
    await expect(playInto(btcd, buildChain({ ...options, signatures: "placeholder" }))).rejects.toThrow(/refuses/);
  });
});
