import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Block, displayHash, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { buildChain, type ChainBlock, type HotScript } from "@nodewright/bitcoin-test-chain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { askRest, waitUntil } from "../support/calls.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";

const { path } = requireProgram("btcd");

/** A chain that was the best one for a while, from the genesis block to its tip. */
interface ChainState {
  readonly hashes: readonly string[];
  /** The block of each transaction. */
  readonly places: ReadonlyMap<string, BlockPlace>;
  /** Of the watched script. */
  readonly statistics: Readonly<Record<string, number>>;
  /** Of the watched script: ids, newest first. */
  readonly history: readonly string[];
}

interface BlockPlace {
  readonly height: number;
  readonly hash: string;
  readonly time: number;
}

/** A question that is asked again and again, and its answer on each chain. */
interface Watch {
  readonly path: string;
  /** What is compared of an answer; its status when not given. */
  readonly read?: (text: string) => unknown;
  readonly expected: (state: ChainState) => unknown;
}

describe.skipIf(path === undefined)("a reorganisation watched through the API", { timeout: 180_000 }, () => {
  let directory: string;
  let btcd: BitcoinProgram;
  let service: StartedService | undefined;
  let blocks: Map<string, Block>;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-watched-"));
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"));
    await btcd.start();
    blocks = new Map();
  });

  afterEach(async () => {
    await service?.stop();
    await btcd.stop();
    rmSync(directory, { recursive: true });
  });

  async function serve(): Promise<ReadyNode> {
    service = await startService({
      parameters: ["--bitcoin-rpc", btcd.url],
      environment: { NODEWRIGHT_BITCOIN_USER: btcd.user, NODEWRIGHT_BITCOIN_PASSWORD: btcd.password },
      dataDirectory: join(directory, "data"),
    });
    return nodeOf(service, "bitcoin");
  }

  /** Remembers a block and gives its hash. */
  function keep(bytes: Uint8Array): string {
    const block = parseBlock(bytes);
    const hash = displayHash(block.header.hash);
    blocks.set(hash, block);
    return hash;
  }

  async function submit(bytes: Uint8Array): Promise<string> {
    expect(await btcd.call("submitblock", toHex(bytes))).toBeNull();
    return keep(bytes);
  }

  async function generate(count: number): Promise<readonly string[]> {
    const hashes = await btcd.generate(count);
    for (const hash of hashes) keep(Buffer.from(String(await btcd.call("getblock", hash, 0)), "hex"));
    return hashes;
  }

  function stateAt(tip: string, script: HotScript): ChainState {
    const hashes: string[] = [];
    for (let hash = tip; ; ) {
      const block = blocks.get(hash);
      if (block === undefined) break;
      hashes.unshift(hash);
      hash = displayHash(block.header.previousHash);
    }
    return {
      hashes,
      ...replay(
        hashes.flatMap((hash) => blocks.get(hash) ?? []),
        script,
      ),
    };
  }

  it("shows one chain or the other, never a mixture, and never goes back", async () => {
    const chain = buildChain({
      seed: 77,
      transactions: 900,
      blocks: 116,
      staleBranches: { count: 1, depth: 7 },
      signatures: "real",
      tipTime: Math.floor(Date.now() / 1000),
    });
    const built: ChainBlock[] = [];
    for await (const block of chain.blocks) built.push(block);
    const script = busiest(chain.summary().hotScripts);
    const [branch] = chain.staleBranches;
    if (branch === undefined) return expect.unreachable("the chain has a stale branch");
    const overtaken = built.findLastIndex((block) => block.branch !== undefined) + 1;
    keep(built[0]?.bytes ?? new Uint8Array());
    for (const { bytes } of built.slice(1, overtaken)) await submit(bytes);
    const stale = branch.hashes.map((hash) => displayHash(hash));
    const tips = [stale.at(-1) ?? ""];
    const node = await serve();
    await waitForTip(node, tips[0]);

    const best: string[] = [];
    for (const { bytes } of built.slice(overtaken)) keep(bytes);
    for (const { hash } of built.slice(overtaken)) best.push(displayHash(hash));
    const watches = watchesOf(script, blocks, stale, best, branch.forkHeight);
    const watcher = startWatching(node, watches);

    // The other branch takes over, grows, and loses again to the first with more on top.
    for (const [index, { bytes }] of built.slice(overtaken).entries()) {
      await submit(bytes);
      if (index < stale.length) continue;
      tips.push(best[index] ?? "");
      if (index === stale.length) await waitForTip(node, best[index]);
    }
    await waitForTip(node, tips.at(-1));
    // Back to the first branch, which has less work.
    await btcd.call("invalidateblock", best[0]);
    const back = String(await btcd.call("getbestblockhash"));
    tips.push(back);
    await waitForTip(node, back);
    const more = await generate(best.length - stale.length + 3);
    tips.push(...more);
    await waitForTip(node, more.at(-1));
    await delay(300);
    const answers = await watcher.stop();

    const states = tips.map((tip) => stateAt(tip, script));
    for (const [index, watch] of watches.entries()) {
      const seen = answers[index] ?? [];
      expect(new Set(seen).size, `${watch.path} was seen to change`).toBeGreaterThan(1);
      expectOneChainAfterAnother(watch, seen, states);
    }
  });
});

/** Each answer is that of a chain, and of none that was the best one before the chain of the answer before it. */
function expectOneChainAfterAnother(
  { path, expected }: Watch,
  seen: readonly string[],
  states: readonly ChainState[],
): void {
  const possible = states.map((state) => JSON.stringify(expected(state)));
  let at = 0;
  for (const answer of seen) {
    const found = possible.indexOf(answer, at);
    expect(found, `${path} is answered ${answer}, which is of no chain from the ${at}th on: ${possible[at]}`).not.toBe(
      -1,
    );
    at = found;
  }
}

function watchesOf(
  script: HotScript,
  blocks: ReadonlyMap<string, Block>,
  stale: readonly string[],
  best: readonly string[],
  forkHeight: number,
): readonly Watch[] {
  const blockHash = (text: string) => text;
  const address = script.address ?? "";
  const middle = stale[3] ?? "";
  const ids = [middle, best[3] ?? ""].flatMap(
    (hash) =>
      blocks
        .get(hash)
        ?.transactions.slice(0, 3)
        .map(({ txid }) => displayHash(txid)) ?? [],
  );
  return [
    { path: "blocks/tip/hash", read: blockHash, expected: ({ hashes }) => hashes.at(-1) },
    { path: "blocks/tip/height", read: Number, expected: ({ hashes }) => hashes.length - 1 },
    {
      path: "blocks",
      read: (text) => (JSON.parse(text) as readonly { readonly id: string }[]).map(({ id }) => id),
      expected: ({ hashes }) => hashes.slice(-10).reverse(),
    },
    { path: `block-height/${forkHeight + 1}`, read: blockHash, expected: ({ hashes }) => hashes[forkHeight + 1] },
    { path: `block-height/${forkHeight + 6}`, read: blockHash, expected: ({ hashes }) => hashes[forkHeight + 6] },
    ...[middle, stale[0] ?? "", best[3] ?? ""].flatMap((hash): readonly Watch[] => [
      { path: `block/${hash}`, expected: ({ hashes }) => (hashes.includes(hash) ? 200 : 404) },
      {
        path: `block/${hash}/status`,
        read: JSON.parse,
        expected: ({ hashes }) => {
          const height = hashes.indexOf(hash);
          return height === -1
            ? { in_best_chain: false, height: null, next_best: null }
            : { in_best_chain: true, height, next_best: hashes[height + 1] ?? null };
        },
      },
    ]),
    ...ids.map(
      (txid): Watch => ({
        path: `tx/${txid}/status`,
        read: JSON.parse,
        expected: ({ places }) => statusOf(places.get(txid)),
      }),
    ),
    {
      path: `address/${address}`,
      read: (text) => (JSON.parse(text) as { readonly chain_stats: unknown }).chain_stats,
      expected: ({ statistics }) => statistics,
    },
    {
      path: `address/${address}/txs/chain`,
      read: (text) =>
        (JSON.parse(text) as readonly { readonly txid: string; readonly status: unknown }[]).map(
          ({ txid, status }) => ({ txid, status }),
        ),
      expected: ({ history, places }) =>
        history.slice(0, 25).map((txid) => ({ txid, status: statusOf(places.get(txid)) })),
    },
  ];
}

function statusOf(place: BlockPlace | undefined): unknown {
  return place === undefined
    ? { confirmed: false }
    : { confirmed: true, block_height: place.height, block_hash: place.hash, block_time: place.time };
}

/** What a script comes to on a chain. */
function replay(chain: readonly Block[], { scriptPubKey }: HotScript): Omit<ChainState, "hashes"> {
  const places = new Map<string, BlockPlace>();
  const unspent = new Map<string, bigint>();
  const statistics = { funded_txo_count: 0, funded_txo_sum: 0, spent_txo_count: 0, spent_txo_sum: 0, tx_count: 0 };
  const history: string[] = [];
  for (const [height, { header, transactions }] of chain.entries()) {
    for (const { txid, inputs, outputs } of transactions) {
      const id = displayHash(txid);
      places.set(id, { height, hash: displayHash(header.hash), time: header.time });
      let isOfScript = false;
      for (const { previousOutput } of inputs) {
        const outpoint = `${displayHash(previousOutput.txid)}:${previousOutput.vout}`;
        const value = unspent.get(outpoint);
        if (value === undefined) continue;
        unspent.delete(outpoint);
        isOfScript = true;
        statistics.spent_txo_count += 1;
        statistics.spent_txo_sum += Number(value);
      }
      for (const [vout, output] of outputs.entries()) {
        if (toHex(output.scriptPubKey) !== scriptPubKey) continue;
        unspent.set(`${id}:${vout}`, output.value);
        isOfScript = true;
        statistics.funded_txo_count += 1;
        statistics.funded_txo_sum += Number(output.value);
      }
      if (!isOfScript) continue;
      statistics.tx_count += 1;
      history.unshift(id);
    }
  }
  return { places, statistics, history };
}

/** Asks all questions again and again; gives what was answered, as JSON, one list for each question. */
function startWatching(
  node: ReadyNode,
  watches: readonly Watch[],
): { stop(): Promise<readonly (readonly string[])[]> } {
  const stopping = new AbortController();
  const watched = watches.map(async ({ path, read }) => {
    const seen: string[] = [];
    while (!stopping.signal.aborted) {
      const { status, text } = await askRest(node, path);
      seen.push(JSON.stringify(read === undefined ? status : read(text)));
      await delay(5);
    }
    return seen;
  });
  return {
    async stop() {
      stopping.abort();
      return await Promise.all(watched);
    },
  };
}

async function waitForTip(node: ReadyNode, hash: string | undefined): Promise<void> {
  await waitUntil(`the tip is ${hash}`, async () => (await askRest(node, "blocks/tip/hash")).text === hash);
}

function busiest(scripts: readonly HotScript[]): HotScript {
  const [first] = scripts
    .filter(({ address }) => address !== undefined)
    .toSorted((one, other) => other.transactions - one.transactions);
  return first ?? expect.unreachable("a hot script has an address");
}
