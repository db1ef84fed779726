import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ScanResult, ScantxoutsetInput } from "@nodewright/bitcoin-api/types";
import {
  type ChainIndexReader,
  type ChainQueries,
  IndexerError,
  createArraySource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
  type UnspentOutput,
} from "@nodewright/bitcoin-indexer";
import { RegtestChain, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import {
  addressOfScript,
  displayHash,
  fromHex,
  isUnspendable,
  networks,
  parseBlock,
  toHex,
} from "@nodewright/bitcoin-primitives";
import { buildChain } from "@nodewright/bitcoin-test-chain";
import { isPreparedJson } from "@nodewright/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BitcoinNodeContext } from "../context/context.ts";
import { expandDescriptor } from "../descriptor/expand-descriptor.ts";
import { parseDescriptor } from "../descriptor/parse-descriptor.ts";
import { ScriptKnowledge } from "../descriptor/script-knowledge.ts";
import { scantxoutset } from "../handlers/scantxoutset.ts";
import { deriveScripts } from "./derive-scripts.ts";
import { findOutputs } from "./find-outputs.ts";
import { changedIndex } from "../testing/changed-index.ts";
import { OutputScans, RunningScan } from "../context/output-scans.ts";
import { cpuMillisecondsDuring } from "../../../../test/support/cpu-time.ts";

const network = networks.regtest;
const tprv =
  "tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK";
const tpub =
  "tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B";
const longKey =
  "0411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3";

type Objects = NonNullable<ScantxoutsetInput["scanobjects"]>;

function contextOf(index: ChainQueries): BitcoinNodeContext {
  return { index } as BitcoinNodeContext;
}

async function scan(index: ChainQueries, scanobjects: Objects, more: Partial<BitcoinNodeContext> = {}) {
  const response = await scantxoutset({ action: "start", scanobjects }, { ...contextOf(index), ...more });
  if (!isPreparedJson(response)) return expect.unreachable("no text");
  return JSON.parse(String(response.text)) as Omit<ScanResult, "total_amount" | "unspents"> & {
    readonly total_amount: number;
    readonly unspents: readonly (Omit<ScanResult["unspents"][number], "amount"> & { readonly amount: number })[];
  };
}

/** Returns the only script of a descriptor at a position. */
function scriptAt(text: string, position = 0): Uint8Array {
  const scripts = expandDescriptor(parseDescriptor(text, { network }), { position, branch: 0 }, new ScriptKnowledge());
  return scripts?.at(-1) ?? expect.unreachable(text);
}

const open: { store: Awaited<ReturnType<typeof openEmbeddedStore>>; index: ChainIndexReader; directory: string }[] = [];

/** Opens an index that grows with its source. */
async function openIndex(blocks: readonly Uint8Array[]) {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
  const store = await openEmbeddedStore(directory, network);
  const source = createArraySource(network, [...blocks]);
  await runIndexer({ store, source });
  const index = openChainIndex(directory, { network });
  open.push({ store, index, directory });
  return {
    index,
    async add(...more: readonly Uint8Array[]) {
      source.add(...more);
      await runIndexer({ store, source });
    },
  };
}

afterAll(async () => {
  for (const { store, index, directory } of open) {
    await index.close();
    await store.close();
    rmSync(directory, { recursive: true });
  }
});

/** A chain that pays descriptors, each its own power of two. */
const paid: readonly (readonly [descriptor: string, position: number])[] = [
  [`pkh(${tpub}/1/1/*)`, 0],
  [`pkh(${tpub}/1/1/*)`, 1_500],
  [`wpkh(${tpub}/1/1/*)`, 1],
  [`sh(wpkh(${tpub}/1/1/*))`, 1],
  [`pk(${tprv}/0h/*h)`, 3],
  [`wsh(sortedmulti(2,${tpub}/2/*,${tpub}/3/*,${tpub}/4/*))`, 5],
  [`sh(wsh(multi(1,${tpub}/2/*,${tpub}/3/*)))`, 0],
  [`tr(${tpub}/5/*)`, 0],
  [`tr(${tpub}/5/*,{pk(${tpub}/6/*),multi_a(2,${tpub}/7/*,${tpub}/8/*)})`, 2],
  [`rawtr(${tpub}/9/*)`, 0],
  [`pk(${longKey})`, 0],
];
const chain = new RegtestChain();
const other = scriptAt(`pkh(${tpub}/99)`);
const first = chain.extend(chain.genesis, other);
const payments = paid.map(([text, position], index) => ({
  value: 1_000n * 2n ** BigInt(index),
  scriptPubKey: scriptAt(text, position),
}));
const change = { value: 4_000_000_000n, scriptPubKey: other };
const second = chain.extend(first, other, [{ coins: first.coins.slice(-1), outputs: [...payments, change] }]);

describe("scantxoutset", () => {
  let index: ChainIndexReader;

  beforeAll(async () => {
    ({ index } = await openIndex([chain.genesis.bytes, first.bytes, second.bytes]));
  });

  it.each(paid.map(([text, position], number) => [text, position, number] as const))(
    "finds what was paid to %s at %i",
    async (text, position, number) => {
      const found = await scan(index, [{ desc: text, range: [position, position] }]);
      expect(found).toMatchObject({
        success: true,
        txouts: 13,
        height: 2,
        bestblock: displayHash(second.hash),
        total_amount: (1_000 * 2 ** number) / 1e8,
        unspents: [
          {
            vout: number,
            scriptPubKey: toHex(scriptAt(text, position)),
            amount: (1_000 * 2 ** number) / 1e8,
            coinbase: false,
            height: 2,
            blockhash: displayHash(second.hash),
            confirmations: 1,
          },
        ],
      });
      expect(Object.keys(found.unspents[0] ?? {})).toEqual([
        "txid",
        "vout",
        "scriptPubKey",
        "desc",
        "amount",
        "coinbase",
        "height",
        "blockhash",
        "confirmations",
      ]);
    },
  );

  it("tells a descriptor of the script with its keys", async () => {
    const { unspents } = await scan(index, [{ desc: `combo(${tpub}/1/1/*)`, range: 1_500 }]);
    expect(unspents.map(({ desc }) => desc.split("#")[0])).toEqual([
      "pkh([0c5f9a1e/1/1/0]03e1c5b6e650966971d7e71ef2674f80222752740fc1dfd63bbbd220d2da9bd0fb)",
      "pkh([0c5f9a1e/1/1/1500]03832901c250025da2aebae2bfb38d5c703a57ab66ad477f9c578bfbcd78abca6f)",
      "wpkh([0c5f9a1e/1/1/1]030d820fc9e8211c4169be8530efbc632775d8286167afd178caaf1089b77daba7)",
      "sh(wpkh([0c5f9a1e/1/1/1]030d820fc9e8211c4169be8530efbc632775d8286167afd178caaf1089b77daba7))",
    ]);
    expect(unspents[0]?.desc).toMatch(/#cxmct4w8$/);
  });

  it("looks at the first 1,001 children when no range is told", async () => {
    expect((await scan(index, [`combo(${tpub}/1/1/*)`])).unspents).toHaveLength(3);
    expect((await scan(index, [{ desc: `combo(${tpub}/1/1/*)`, range: [2, 1_500] }])).unspents).toHaveLength(1);
  });

  it("gives each output once, however often it is looked for", async () => {
    const address = addressOfScript(scriptAt(`pkh(${tpub}/1/1/0)`), network) ?? expect.unreachable();
    const { unspents } = await scan(index, [`addr(${address})`, `pkh(${tpub}/1/1/0)`, `combo(${tprv}/1/1/0)`]);
    expect(unspents).toHaveLength(1);
    expect(unspents[0]?.desc).toContain("pkh([0c5f9a1e/1/1/0]");
  });

  it("finds nothing where nothing is looked for, and nothing of the first block", async () => {
    expect(await scan(index, [])).toMatchObject({ success: true, txouts: 13, unspents: [], total_amount: 0 });
    const [genesis] = parseBlock(chain.genesis.bytes).transactions;
    const script = toHex(genesis?.outputs[0]?.scriptPubKey ?? expect.unreachable());
    expect((await scan(index, [`raw(${script})`])).unspents).toEqual([]);
  });

  it("tells of a coinbase", async () => {
    const { unspents } = await scan(index, [`pkh(${tpub}/99)`]);
    expect(unspents.filter(({ coinbase }) => coinbase)).toMatchObject([{ height: 2, vout: 0 }]);
  });

  it.each([
    ["too many scripts", [{ desc: `pkh(${tpub}/*)`, range: 10_000 }]],
    [
      "too many scripts together",
      [
        { desc: `pkh(${tpub}/*)`, range: 5_999 },
        { desc: `wpkh(${tpub}/*)`, range: 5_999 },
      ],
    ],
    [
      "too many keys",
      [{ desc: `wsh(multi(1,${Array.from({ length: 20 }, () => `${tpub}/*`).join(",")}))`, range: 2_000 }],
    ],
    ["too many paths", [{ desc: `combo(${tpub}/<0;1>/*)`, range: 1_999 }]],
  ])("refuses %s at once", async (_what, objects) => {
    const refused = () => expect(scan(index, objects)).rejects.toMatchObject({ rpcCode: -8 });
    expect(await cpuMillisecondsDuring(refused)).toBeLessThan(1_000);
  });

  it("lets others have their turn while it derives keys", async () => {
    let turns = 0;
    let isDone = false;
    const counting = (async () => {
      while (!isDone) {
        await setTimeout(1);
        turns += 1;
      }
    })();
    await scan(index, [{ desc: `wpkh(${tpub}/0/*)`, range: 499 }]);
    isDone = true;
    await counting;
    expect(turns).toBeGreaterThan(5);
  });

  it("is stopped and watched by its caller alone, and runs once at a time", async () => {
    const scans = new OutputScans();
    const mine = { ...contextOf(index), scans: scans.of("mine") };
    const others = { ...contextOf(index), scans: scans.of("others") };
    expect(await scantxoutset({ action: "status" }, mine)).toBeNull();
    expect(await scantxoutset({ action: "abort" }, mine)).toBe(false);
    const running = scan(index, [{ desc: `wpkh(${tpub}/0/*)`, range: 9_999 }], mine);
    const status = async () => await scantxoutset({ action: "status" }, mine);
    await expect.poll(status).toEqual({ progress: expect.any(Number) });
    await expect(async () => await scantxoutset({ action: "start", scanobjects: [] }, mine)).rejects.toMatchObject({
      rpcCode: -8,
      message: 'Scan already in progress, use action "abort" or "status"',
    });
    expect(await scantxoutset({ action: "status" }, others)).toBeNull();
    expect(await scantxoutset({ action: "abort" }, others)).toBe(false);
    expect(await scan(index, [], others)).toMatchObject({ success: true });
    expect(await scantxoutset({ action: "abort" }, mine)).toBe(true);
    expect(await running).toMatchObject({ success: false, unspents: [] });
    expect(await scantxoutset({ action: "status" }, mine)).toBeNull();
  });

  it("may be started again after it failed", async () => {
    const mine = { ...contextOf(index), scans: new OutputScans().of("mine") };
    await expect(scan(index, ["nonsense"], mine)).rejects.toMatchObject({ rpcCode: -5 });
    expect(await scan(index, [], mine)).toMatchObject({ success: true });
  });

  it("needs something to look for", async () => {
    await expect(async () => await scantxoutset({ action: "start" }, contextOf(index))).rejects.toMatchObject({
      rpcCode: -1,
      message: "scanobjects argument is required for the start action",
    });
  });
});

describe("a search while the chain changes", () => {
  /** Returns the expected result of a search at each block. */
  function expectedAt(tip: RegtestTip, script: Uint8Array): readonly string[] {
    return tip.coins
      .filter(({ scriptPubKey }) => toHex(scriptPubKey) === toHex(script))
      .map(({ outpoint }) => `${displayHash(outpoint.txid)}:${outpoint.vout}`)
      .sort();
  }

  it("gives the outputs of the block that it names", async () => {
    const one = scriptAt(`pkh(${tpub}/1)`);
    const two = scriptAt(`pkh(${tpub}/2)`);
    const growing = new RegtestChain();
    const start = growing.extend(growing.genesis, one);
    const before = growing.extend(start, other);
    // Moves the output from one script to the other; then the branch becomes stale.
    const moved = growing.extend(before, other, [
      { coins: start.coins.slice(-1), outputs: [{ value: 1_000n, scriptPubKey: two }] },
    ]);
    const fork = growing.extend(before, two);
    const longer = growing.extend(fork, one);
    const { index, add } = await openIndex([growing.genesis, start, before].map(({ bytes }) => bytes));
    const tips = new Map([before, moved, longer].map((tip) => [displayHash(tip.hash), tip]));
    const changes: (() => Promise<void>)[] = [() => add(moved.bytes), () => add(fork.bytes, longer.bytes)];
    /** Index that changes the chain between the outputs of the first script and those of the second. */
    const changing = changedIndex(index, {
      unspentOutputPages: async function* (...parameters) {
        yield* index.unspentOutputPages(...parameters);
        await changes.shift()?.();
      },
    });
    const { bestblock, unspents } = await scan(changing, [`pkh(${tpub}/1)`, `pkh(${tpub}/2)`]);
    expect(changes).toEqual([]);
    const tip = tips.get(bestblock) ?? expect.unreachable(bestblock);
    expect(bestblock).toBe(displayHash(longer.hash));
    const names = unspents.map(({ txid, vout }) => `${txid}:${vout}`).sort();
    expect(names).toEqual([...expectedAt(tip, one), ...expectedAt(tip, two)].sort());
  });

  it("gives up when blocks never stop coming", async () => {
    const growing = new RegtestChain();
    const { index, add } = await openIndex([growing.genesis.bytes]);
    let tip = growing.genesis;
    const changing = changedIndex(index, {
      unspentOutputCount: async () => {
        tip = growing.extend(tip, other);
        await add(tip.bytes);
        return index.unspentOutputCount();
      },
    });
    await expect(scan(changing, [`pkh(${tpub}/1)`])).rejects.toMatchObject({ code: "upstream_unavailable" });
  });
});

describe("the outputs of a script", () => {
  const txid = (number: number): string => number.toString(16).padStart(64, "0");

  /** Returns an index whose pages are created on demand; each may fail. */
  function indexOf(pages: () => AsyncIterable<readonly UnspentOutput[]>): ChainQueries {
    return {
      tip: async () => ({ hash: "ab", height: 9 }),
      unspentOutputCount: async () => 7,
      unspentOutputPages: pages,
    } as unknown as ChainQueries;
  }

  const placeAt = (height: number) => ({ hash: "ab", height, time: 0, medianTime: 0, position: 0 });
  const outputAt = (number: number, more: Partial<UnspentOutput> = {}): UnspentOutput => ({
    txid: txid(number),
    vout: 0,
    value: 1n,
    isCoinbase: false,
    block: placeAt(1),
    ...more,
  });
  const script = Uint8Array.of(0x51);

  it("are read anew when the chain was reorganised, and another failure is reported", async () => {
    let failures = 2;
    const shaken = indexOf(async function* () {
      failures -= 1;
      yield [outputAt(failures)];
      if (failures >= 0) throw new IndexerError("reorganised", "The chain was reorganised");
    });
    const { outputs, totalCount, tip } = await findOutputs(shaken, [script], new RunningScan());
    expect(outputs).toMatchObject([{ txid: txid(-1), scriptPubKey: script }]);
    expect([totalCount, tip.height]).toEqual([7, 9]);
    for (const failure of [new IndexerError("tables-damaged", "Damaged"), new Error("Odd")]) {
      const broken = indexOf(async function* () {
        yield await Promise.reject<readonly UnspentOutput[]>(failure);
      });
      await expect(findOutputs(broken, [script], new RunningScan())).rejects.toBe(failure);
    }
    const restless = indexOf(async function* () {
      yield await Promise.reject<readonly UnspentOutput[]>(new IndexerError("reorganised", "Again"));
    });
    await expect(findOutputs(restless, [script], new RunningScan())).rejects.toMatchObject({
      code: "upstream_unavailable",
      message: "Blocks arrived during the search for outputs: try again",
      retryAfterSeconds: 1,
    });
  });

  it("are half of the work, of which each script is as much as another", async () => {
    const scan = new RunningScan();
    const { scripts } = await deriveScripts(["raw(51)", "raw(52)", "raw(53)", "raw(54)", "raw(51)"], { network, scan });
    expect(scripts.map(toHex)).toEqual(["51", "52", "53", "54"]);
    expect(scan.progress).toBe(50);
    const progress: number[] = [];
    const index = indexOf(async function* () {
      progress.push(scan.progress);
      yield [];
    });
    await findOutputs(index, scripts, scan);
    expect([...progress, scan.progress]).toEqual([50, 62, 75, 87, 100]);
  });

  it("are a hundred thousand at most", async () => {
    const many = (count: number) =>
      indexOf(async function* () {
        yield Array.from({ length: count - 1 }, (_, number) => outputAt(number));
        yield [outputAt(count)];
      });
    expect((await findOutputs(many(100_000), [script], new RunningScan())).outputs).toHaveLength(100_000);
    await expect(findOutputs(many(100_001), [script], new RunningScan())).rejects.toMatchObject({
      rpcCode: -8,
      message: "The search has more than 100000 outputs: look for fewer at once",
    });
  });

  it("are in the order of their names' bytes, each once, and none is of the first block", async () => {
    const first = outputAt(3, { block: placeAt(0) });
    const repeated = outputAt(5, { block: placeAt(4), value: 2n });
    const ordered = [
      outputAt(0x0201),
      repeated,
      outputAt(5, { vout: 2 }),
      outputAt(5, { vout: 16 }),
      outputAt(5, { vout: 256 }),
      outputAt(0x0105),
    ];
    const [one, , two, sixteen, manyth, last] = ordered as [
      UnspentOutput,
      UnspentOutput,
      UnspentOutput,
      UnspentOutput,
      UnspentOutput,
      UnspentOutput,
    ];
    for (const twice of [
      [outputAt(5), repeated],
      [repeated, outputAt(5)],
    ]) {
      const index = indexOf(async function* () {
        yield [last, manyth, ...twice];
        yield [sixteen, first, two, one];
      });
      const { outputs } = await findOutputs(index, [script], new RunningScan());
      expect(outputs).toEqual(ordered.map((output) => ({ ...output, scriptPubKey: script })));
    }
  });

  it("are not looked for where nobody can spend them, and no further when the search is aborted", async () => {
    let pages = 0;
    const scan = new RunningScan();
    const index = indexOf(async function* () {
      pages += 1;
      yield [outputAt(pages)];
      if (pages === 2) scan.abort();
      yield [outputAt(pages + 10)];
    });
    const unspendable = Uint8Array.of(0x6a);
    const { outputs } = await findOutputs(index, [unspendable, script, script, script], scan);
    expect(outputs.map((output) => output.txid)).toEqual([1, 2, 11, 12].map(txid));
    expect(pages).toBe(2);
    const begun = new RunningScan();
    await findOutputs(index, [unspendable, script, script, script], begun);
    expect(begun.progress).toBe(100);
    expect((await findOutputs(index, [script], scan)).outputs).toEqual([]);
  });
});

describe("a search for every script of a chain with all kinds of scripts", () => {
  it("finds all unspent outputs that Bitcoin Core would keep", async () => {
    const { blocks } = buildChain({ seed: 7, transactions: 600, signatures: "placeholder" });
    const bytes: Uint8Array[] = [];
    for await (const block of blocks) bytes.push(block.bytes);
    const { index } = await openIndex(bytes);
    const coins = new Map<string, { readonly script: string; readonly value: bigint }>();
    for (const [height, block] of bytes.entries()) {
      for (const { txid, inputs, outputs } of parseBlock(block).transactions) {
        for (const { previousOutput } of inputs) {
          coins.delete(`${displayHash(previousOutput.txid)}:${previousOutput.vout}`);
        }
        for (const [vout, { scriptPubKey, value }] of outputs.entries()) {
          if (height === 0 || isUnspendable(scriptPubKey)) continue;
          coins.set(`${displayHash(txid)}:${vout}`, { script: toHex(scriptPubKey), value });
        }
      }
    }
    const scripts = [...new Set([...coins.values()].map(({ script }) => script))].filter((script) => script !== "");
    const found = await scan(
      index,
      scripts.map((script) => `raw(${script})`),
    );
    const empty = [...coins.values()].filter(({ script }) => script === "");
    expect(found.txouts).toBe(coins.size);
    expect(found.unspents).toHaveLength(coins.size - empty.length);
    for (const { txid, vout, scriptPubKey } of found.unspents) {
      expect(coins.get(`${txid}:${vout}`)?.script).toBe(scriptPubKey);
    }
    const order = found.unspents.map(({ txid }) => toHex((fromHex(txid) ?? expect.unreachable()).toReversed()));
    expect(order).toEqual(order.toSorted());
  });
});
