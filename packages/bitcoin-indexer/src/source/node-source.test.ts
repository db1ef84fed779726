import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { networks, toHex } from "@nodewright/bitcoin-primitives";
import { createHttpUpstream } from "@nodewright/upstream";
import type { Fault } from "@nodewright/upstream/testing";
import { describe, expect, it } from "vitest";
import { Publisher } from "zeromq";
import type { IndexerEvent } from "../sync/indexer-event.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { connectToSource } from "../source-configuration.ts";
import { demoBlocks } from "../testing/demo-chain.ts";
import { type Following, follow, isReadyAt } from "../testing/following-indexer.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { hashText, StubNode, tipsOf } from "../testing/stub-node.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { buildClean } from "../testing/walking-chain.ts";
import { listenForBlocks } from "./block-announcements.ts";
import { createNodeSource } from "./node-source.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);

async function followNode(
  node: StubNode,
  action: (following: Following) => Promise<void>,
  timeoutMilliseconds: number = 200_000,
): Promise<void> {
  const upstream = createHttpUpstream({ url: node.url, timeoutMilliseconds });
  await follow(createNodeSource(upstream, network, { pollMilliseconds: 10 }), action);
}

function grow(chain: RegtestChain, from: RegtestTip, length: number): readonly RegtestTip[] {
  const grown: RegtestTip[] = [];
  while (grown.length < length) grown.push(chain.extend(grown.at(-1) ?? from, script));
  return grown;
}

/** Waits until the index is ready on this chain. */
async function untilOn({ store, until }: Following, chain: readonly RegtestTip[]): Promise<void> {
  for (;;) {
    const ready = until(isReadyAt(chain.length - 1));
    if ((await store.queries().tip())?.hash === hashText(chain.at(-1))) return;
    await ready;
  }
}

async function withNode(action: (node: StubNode, chain: RegtestChain) => Promise<void>): Promise<void> {
  const chain = new RegtestChain();
  const node = new StubNode([chain.genesis, ...grow(chain, chain.genesis, 30)]);
  await node.start();
  try {
    await action(node, chain);
  } finally {
    await node.stop();
  }
}

it("indexes a node's chain and follows it, also through a reorganisation", async () => {
  await withNode(async (node, chain) => {
    await followNode(node, async ({ store, until }) => {
      await until(isReadyAt(30));
      const next = until(isReadyAt(32));
      node.chain = [...node.chain, ...grow(chain, node.chain.at(-1) ?? chain.genesis, 2)];
      await next;
      const stale = node.chain[32];
      const reorganised = until(isReadyAt(33));
      node.chain = [...node.chain.slice(0, 26), ...grow(chain, node.chain[25] ?? chain.genesis, 8)];
      await reorganised;
      const queries = store.queries();
      expect((await queries.tip())?.hash).toBe(hashText(node.chain[33]));
      expect(await queries.blockByHash(hashText(stale) ?? "")).toMatchObject({ onBestChain: false, height: 32 });
    });
  });
});

/**
 * Moves of a node whose chain has 30 blocks above the genesis block: how many of them it keeps, how many replace the others, and the
 * heights at which the index switches.
 */
const moves = [
  { name: "one block back", kept: 29, others: 0, switches: [undefined] },
  { name: "far back", kept: 20, others: 0, switches: [undefined] },
  { name: "back to the first block", kept: 1, others: 0, switches: [undefined] },
  { name: "back to the genesis block", kept: 0, others: 0, switches: [undefined] },
  { name: "to another tip with equal work", kept: 29, others: 1, switches: [30, 30] },
  { name: "to another chain with equal work", kept: 12, others: 18, switches: [30, 30] },
  { name: "to another chain with less work", kept: 12, others: 3, switches: [undefined, 16] },
] as const;

it.each(moves)("follows the node $name, and forward again", async ({ kept, others, switches }) => {
  await withNode(async (node, chain) => {
    await followNode(node, async (following) => {
      const { directory, store } = following;
      await untilOn(following, node.chain);
      const whole = node.chain;
      const moved = whole.slice(0, kept + 1);
      moved.push(...grow(chain, moved.at(-1) ?? chain.genesis, others));
      node.chain = moved;
      await untilOn(following, moved);
      expect(await store.queries().blockByHeight(moved.length)).toBeUndefined();
      expect(await store.queries().blockByHash(hashText(whole.at(-1)) ?? "")).toMatchObject({ onBestChain: false });
      await withTemporaryDirectory(async (fresh) => {
        await buildClean(fresh, moved);
        expect(await compareIndexes(directory, fresh)).toEqual([]);
      });
      node.chain = whole;
      await untilOn(following, whole);
      expect(following.switchHeights).toEqual(switches);
    });
  });
});

it("says that the node is down, and goes on when it is back", async () => {
  await withNode(async (node, chain) => {
    await followNode(node, async ({ until }) => {
      await until(isReadyAt(30));
      const down = until(({ state }) => state === "stalled");
      await node.stop();
      const { reason } = await down;
      expect(reason).toContain("could not be reached");
      expect(reason).not.toContain("127.0.0.1");
      node.chain = [...node.chain, ...grow(chain, node.chain.at(-1) ?? chain.genesis, 1)];
      const back = until(isReadyAt(31));
      await node.start();
      await back;
    });
  });
});

interface Lie {
  readonly name: string;
  readonly lie: (node: StubNode) => StubNode["lie"];
  readonly reason: string;
}

/** Changes one byte of hex that is not in its first 80 bytes. */
function spoiled(tip: RegtestTip | undefined, byte: number): string {
  const bytes = Buffer.from(tip?.bytes ?? []);
  bytes[byte] = (bytes[byte] ?? 0) ^ 1;
  return bytes.toString("hex");
}

const lies: readonly Lie[] = [
  {
    name: "another transaction than the merkle root is of",
    lie: (node) => (method, params) =>
      method === "getblock" && params[0] === hashText(node.chain[12]) ? spoiled(node.chain[12], 130) : undefined,
    reason: "merkle root",
  },
  {
    name: "another block than was asked for",
    lie: (node) => (method, params) =>
      method === "getblock" && params[0] === hashText(node.chain[12])
        ? toHex(node.chain[11]?.bytes ?? script)
        : undefined,
    reason: "another block",
  },
  {
    name: "half a block",
    lie: (node) => (method, params) =>
      method === "getblock" && params[0] === hashText(node.chain[12])
        ? toHex(node.chain[12]?.bytes.subarray(0, 120) ?? script)
        : undefined,
    reason: "block 12",
  },
  {
    name: "hex that is none",
    lie: () => (method) => (method === "getblock" ? "no hex" : undefined),
    reason: "not hex",
  },
  {
    name: "a header without its work",
    lie: (node) => (method, params) => {
      if (method !== "getblockheader" || params[0] !== hashText(node.chain[12])) return undefined;
      const header = Buffer.from(node.chain[12]?.bytes.subarray(0, 80) ?? []);
      header[75] = 3;
      return header.toString("hex");
    },
    reason: "does not meet the target",
  },
  {
    name: "headers that do not refer to each other",
    lie: (node) => (method, params) =>
      method === "getblockhash" && params[0] === 12 ? hashText(node.chain[13]) : undefined,
    reason: "is not the hash of the block below",
  },
  {
    name: "another network's genesis block",
    lie: () => (method, params) =>
      method === "getblockhash" && params[0] === 0 ? networks.mainnet.genesisHash : undefined,
    reason: "The node is not on regtest",
  },
  {
    name: "a best block that it does not have",
    lie: () => (method) => (method === "getbestblockhash" ? "ab".repeat(32) : undefined),
    reason: "its best block is not the one at its height",
  },
  {
    name: "no hash at all",
    lie: () => (method) => (method === "getbestblockhash" ? "" : undefined),
    reason: "is not a hash",
  },
  {
    name: "an odd number of hex digits",
    lie: (node) => (method, params) =>
      method === "getblock" && params[0] === hashText(node.chain[12])
        ? toHex(node.chain[12]?.bytes ?? script).slice(0, -1)
        : undefined,
    reason: "not hex",
  },
  {
    name: "bytes behind a block",
    lie: (node) => (method, params) =>
      method === "getblock" && params[0] === hashText(node.chain[12])
        ? `${toHex(node.chain[12]?.bytes ?? script)}00`
        : undefined,
    reason: "block 12",
  },
  {
    name: "a header that is cut short",
    lie: (node) => (method, params) =>
      method === "getblockheader" && params[0] === hashText(node.chain[12])
        ? toHex(node.chain[12]?.bytes.subarray(0, 79) ?? script)
        : undefined,
    reason: "not 80 bytes",
  },
  {
    name: "nothing for a block that it has named",
    lie: (node) => (method, params) =>
      method === "getblock" && params[0] === hashText(node.chain[12]) ? { code: -5 } : undefined,
    reason: "not hex",
  },
  {
    name: "no height",
    lie: () => (method) => (method === "getblockcount" ? "many" : undefined),
    reason: "is not a height",
  },
];

it.each(lies)("refuses $name, and goes on when the node is honest again", async ({ lie, reason }) => {
  await withNode(async (node) => {
    node.lie = lie(node);
    await followNode(node, async ({ store, until }) => {
      const refused = await until(({ state }) => state === "stalled");
      expect(refused.reason).toContain(reason);
      expect((await store.queries().tip())?.height ?? -1).toBeLessThan(12);
      const honest = until(isReadyAt(30));
      node.lie = () => undefined;
      await honest;
    });
  });
});

interface NamedFault {
  readonly name: string;
  readonly fault: Fault;
  readonly reason: RegExp;
}

const faults: readonly NamedFault[] = [
  {
    name: "never answers",
    fault: () => undefined,
    reason: /did not respond in time/,
  },
  {
    name: "answers a byte at a time and never ends",
    fault: (response, answer) => {
      let sent = 0;
      const timer = setInterval(() => response.write(answer[sent++] ?? " "), 50);
      response.once("close", () => clearInterval(timer));
    },
    reason: /did not respond in time/,
  },
  { name: "answers nothing", fault: (response) => response.end(), reason: /is not JSON/ },
  {
    name: "answers a page for people",
    fault: (response) => response.setHeader("content-type", "text/html").end("<!doctype html><p>Welcome!</p>"),
    reason: /is not JSON/,
  },
  {
    name: "cuts its answer short",
    fault: (response, answer) => {
      response.setHeader("content-length", answer.length).write(answer.slice(0, 20));
      setTimeout(() => response.destroy(), 20);
    },
    reason: /could not be reached/,
  },
  { name: "hangs up", fault: (response) => response.destroy(), reason: /could not be reached/ },
  {
    name: "wants another password",
    fault: (response) => response.writeHead(401).end("401 Unauthorized."),
    reason: /refused the service's credentials/,
  },
  {
    name: "has too many callers",
    fault: (response) => response.writeHead(503).end("503 Too busy.  Try again later."),
    reason: /too busy/,
  },
  {
    name: "is still starting",
    fault: (response, answer) => {
      const error = { code: -28, message: "Loading block index…" };
      response.writeHead(500).end(JSON.stringify({ ...JSON.parse(answer), result: null, error }));
    },
    reason: /still starting/,
  },
  {
    name: "answers JSON that is no answer",
    fault: (response) => response.end('{"hello":"world"}'),
    reason: /belongs to another call/,
  },
];

it.concurrent.each(faults)(
  "stays at its last block under a node that $name, says so, and goes on",
  async ({ fault, reason }) => {
    await withNode(async (node, chain) => {
      await followNode(
        node,
        async ({ store, until, events }) => {
          await until(isReadyAt(30));
          const stalled = until(({ state }) => state === "stalled");
          node.fault = fault;
          expect((await stalled).reason).toMatch(reason);
          expect(await store.queries().tip()).toMatchObject({ height: 30, hash: hashText(node.chain[30]) });
          node.chain = [...node.chain, ...grow(chain, node.chain.at(-1) ?? chain.genesis, 1)];
          const back = until(isReadyAt(31));
          node.fault = undefined;
          await back;
          for (const { reason: reported } of events) expect(reported ?? "").not.toMatch(/127\.0\.0\.1|<|\n/);
        },
        2_000,
      );
    });
  },
);

it("waits longer each time that a node fails it, and asks as often as before when it is well again", async () => {
  await withNode(async (node) => {
    await followNode(node, async ({ until }) => {
      await until(isReadyAt(30));
      const requests: number[] = [];
      node.fault = (response) => {
        requests.push(performance.now());
        response.writeHead(503).end();
      };
      await until(({ state }) => state === "stalled");
      while (requests.length < 4) await sleep(10);
      const pauses = requests.slice(1).map((at, index) => at - (requests[index] ?? 0));
      // Checked from below only: a busy machine makes any of them longer.
      for (const [index, shortest] of [500, 1_000, 2_000].entries()) {
        expect(pauses[index]).toBeGreaterThan(0.95 * shortest);
      }
      const back = until(isReadyAt(30));
      node.fault = undefined;
      await back;
    });
  });
});

it("says once what is wrong, however often it tries again", async () => {
  await withNode(async (node) => {
    let refusals = 0;
    node.lie = (method, params) => {
      if (method !== "getblock" || params[0] !== hashText(node.chain[12])) return undefined;
      refusals += 1;
      return "";
    };
    await followNode(node, async ({ until, events }) => {
      await until(({ state }) => state === "stalled");
      while (refusals < 3) await sleep(10);
      expect(events.map(({ state }) => state).filter((state) => state !== "indexing")).toEqual(["stalled"]);
      expect(events.at(-1)?.state).toBe("stalled");
      const honest = until(isReadyAt(30));
      node.lie = () => undefined;
      await honest;
    });
  });
});

it("goes over to a reorganisation that happens between two questions", async () => {
  await withNode(async (node, chain) => {
    const other = [...node.chain.slice(0, 21), ...grow(chain, node.chain[20] ?? chain.genesis, 12)];
    let asked = 0;
    node.lie = (method, params) => {
      // After the headers, before the blocks; and in the middle of the headers.
      if ((method === "getblock" || (method === "getblockheader" && asked > 0)) && node.chain !== other) {
        asked += 1;
        if (asked === 5) node.chain = other;
      }
      return method === "never" ? params : undefined;
    };
    await followNode(node, async ({ store, until }) => {
      await until(isReadyAt(32));
      expect((await store.queries().tip())?.hash).toBe(hashText(other.at(-1)));
    });
  });
});

/** Results of nodes for `getblockchaininfo`; none: it has no such method. */
const downloadingNodes = [
  { name: "says that it is in its initial block download", information: { initialblockdownload: true } },
  {
    name: "is btcd with a best block of more than a day ago",
    information: { mediantime: Math.floor(Date.now() / 1_000) - 25 * 60 * 60 },
  },
] as const;

it.each(downloadingNodes)("does not go back with a node that $name, until that has ended", async ({ information }) => {
  const node = new StubNode(tipsOf(demoBlocks(31)));
  let answer: unknown;
  node.lie = (method) => (method === "getblockchaininfo" ? answer : undefined);
  await node.start();
  const upstream = createHttpUpstream({ url: node.url });
  await follow(createNodeSource(upstream, networks.mainnet, { pollMilliseconds: 10 }), async (following) => {
    await untilOn(following, node.chain);
    answer = information;
    const behind = following.until(({ reason }) => reason?.includes("still downloading") === true);
    node.chain = node.chain.slice(0, 13);
    expect(await behind).toMatchObject({ state: "ready", height: 30, targetHeight: 12 });
    expect((await following.store.queries().tip())?.height).toBe(30);
    answer = { initialblockdownload: false, mediantime: 0 };
    await untilOn(following, node.chain);
  });
  await node.stop();
});

it.each([
  { name: "rests between two blocks", isBusy: false },
  { name: "has another block at each look", isBusy: true },
])("says of a node that downloads all blocks anew and $name that it downloads them", async ({ isBusy }) => {
  const node = new StubNode(tipsOf(demoBlocks(1_020)));
  const { chain: whole } = node;
  let information: unknown = { initialblockdownload: false };
  let looks = 0;
  node.lie = (method) => {
    if (isBusy && method === "getbestblockhash" && node.chain !== whole) {
      looks += 1;
      node.chain = whole.slice(0, 10 + (looks % 5));
    }
    return method === "getblockchaininfo" ? information : undefined;
  };
  await node.start();
  const upstream = createHttpUpstream({ url: node.url });
  await follow(createNodeSource(upstream, networks.mainnet, { pollMilliseconds: 10 }), async (following) => {
    await untilOn(following, whole);
    information = { initialblockdownload: true };
    const behind = following.until(({ reason }) => reason !== undefined);
    node.chain = whole.slice(0, 10);
    expect(await behind).toMatchObject({
      state: "ready",
      height: 1_019,
      reason: expect.stringContaining("still downloading blocks"),
    });
    node.chain = whole;
    await untilOn(following, whole);
  });
  await node.stop();
});

it("follows a node back that knows nothing of downloads", async () => {
  const node = new StubNode(tipsOf(demoBlocks(31)));
  await node.start();
  const upstream = createHttpUpstream({ url: node.url });
  await follow(createNodeSource(upstream, networks.mainnet, { pollMilliseconds: 10 }), async (following) => {
    await untilOn(following, node.chain);
    node.chain = node.chain.slice(0, 13);
    await untilOn(following, node.chain);
  });
  await node.stop();
});

/** Runs `action` with two nodes with one chain of 30 blocks, and an index that follows them. */
async function withTwoNodes(
  action: (nodes: readonly [StubNode, StubNode], chain: RegtestChain, following: Following) => Promise<void>,
): Promise<void> {
  await withNode(async (first, chain) => {
    const second = new StubNode(first.chain);
    await second.start();
    const nodes = { upstream: { url: first.url }, others: [{ url: second.url }] };
    const source = createNodeSource(await connectToSource(nodes, network), network, { pollMilliseconds: 10 });
    try {
      await follow(source, async (following) => {
        await untilOn(following, first.chain);
        await action([first, second], chain, following);
      });
    } finally {
      await second.stop();
    }
  });
}

describe("of two nodes", () => {
  it.each([0, 1])("does not follow node %i back while the other stays, but both when both go", async (position) => {
    await withTwoNodes(async (nodes, chain, following) => {
      const whole = nodes[0].chain;
      const gone = nodes[position] ?? nodes[0];
      const other = nodes[1 - position] ?? nodes[1];
      const { length } = following.events;
      gone.chain = whole.slice(0, 21);
      other.chain = [...whole, ...grow(chain, whole.at(-1) ?? chain.genesis, 1)];
      await untilOn(following, other.chain);
      expect(following.events.slice(length).every(({ height }) => height >= 30)).toBe(true);
      other.chain = whole.slice(0, 26);
      await untilOn(following, other.chain);
    });
  });

  it("follows the one with the most work, also when it is not the first", async () => {
    await withTwoNodes(async ([first, second], chain, following) => {
      const whole = first.chain;
      second.chain = [...whole, ...grow(chain, whole.at(-1) ?? chain.genesis, 1)];
      await untilOn(following, second.chain);
      // Another block than the second has at this height, and one more.
      first.chain = [...whole, ...grow(chain, whole.at(-1) ?? chain.genesis, 2)];
      await untilOn(following, first.chain);
    });
  });

  it("follows the first where both have equal work", async () => {
    await withTwoNodes(async ([first, second], chain, following) => {
      const whole = first.chain;
      second.chain = [...whole, ...grow(chain, whole.at(-1) ?? chain.genesis, 1)];
      await untilOn(following, second.chain);
      first.chain = [...whole, ...grow(chain, whole.at(-1) ?? chain.genesis, 1)];
      await untilOn(following, first.chain);
    });
  });

  it("stays while the one with the most work is gone", async () => {
    await withTwoNodes(async ([first, second], chain, following) => {
      const whole = first.chain;
      second.chain = [...whole, ...grow(chain, whole.at(-1) ?? chain.genesis, 1)];
      await untilOn(following, second.chain);
      const stays = following.until(({ reason }) => reason?.includes("another node has more work") === true);
      await second.stop();
      expect(await stays).toMatchObject({ height: 31, targetHeight: 30 });
      await second.start();
    });
  });
});

it("does not follow a node that shows another lower block each time it is asked", async () => {
  await withNode(async (node) => {
    await followNode(node, async (following) => {
      await untilOn(following, node.chain);
      const whole = node.chain;
      const { length } = following.events;
      const returned = following.until(isReadyAt(30));
      node.chain = whole.slice(0, 11);
      node.lie = (method) => {
        // As a node that connects one block after the other.
        if (method === "getbestblockhash") node.chain = whole.slice(0, node.chain.length + 1);
        return undefined;
      };
      await returned;
      expect(node.chain).toHaveLength(31);
      expect(following.events.slice(length).every(({ height }) => height === 30)).toBe(true);
    });
  });
});

it("goes over to a reorganisation once a damaged block that it leaves is repaired", async () => {
  await withNode(async (node, chain) => {
    await followNode(node, async (following) => {
      await untilOn(following, node.chain);
      const path = join(following.directory, "blocks", "blk00000.dat");
      const sound = readFileSync(path);
      writeFileSync(path, Buffer.from(sound).fill(0, 1_000));
      const stalled = following.until(({ state }) => state === "stalled" || state === "failed");
      const kept = node.chain.slice(0, 25);
      node.chain = [...kept, ...grow(chain, kept.at(-1) ?? chain.genesis, 8)];
      const { state, reason } = await stalled;
      expect({ state, reason }).toEqual({ state: "stalled", reason: expect.stringContaining(path) });
      writeFileSync(path, sound);
      await untilOn(following, node.chain);
    });
  });
});

it("does not leave more than 1,000 blocks, and says what to do", async () => {
  const chain = new RegtestChain();
  const node = new StubNode([chain.genesis, ...grow(chain, chain.genesis, 1_010)]);
  await node.start();
  await followNode(node, async (following) => {
    await untilOn(following, node.chain);
    const whole = node.chain;
    const behind = following.until(({ targetHeight }) => targetHeight === 9);
    node.chain = whole.slice(0, 10);
    const { state, height, reason } = await behind;
    expect({ state, height }).toEqual({ state: "ready", height: 1_010 });
    expect(reason).toContain("delete the data directory to index anew");
    node.chain = whole.slice(0, 11);
    await untilOn(following, node.chain);
  });
  await node.stop();
});

it("tells when the node has last answered", async () => {
  await withNode(async (node) => {
    const upstream = createHttpUpstream({ url: node.url });
    const source = createNodeSource(upstream, network, { pollMilliseconds: 10 });
    const startedAt = Date.now();
    expect(source.respondedAt).toBeUndefined();
    await follow(source, async ({ until }) => {
      await until(isReadyAt(30));
      const first = source.respondedAt ?? 0;
      expect(first).toBeGreaterThanOrEqual(startedAt);
      expect(first).toBeLessThanOrEqual(Date.now());
      while ((source.respondedAt ?? 0) <= first) await sleep(5);
      const stalled = until(({ state }) => state === "stalled");
      node.fault = (response) => response.destroy();
      await stalled;
      const last = source.respondedAt;
      await sleep(50);
      expect(source.respondedAt).toBe(last);
    });
  });
});

it("asks at once when the node publishes a block, also after the publisher was gone", async () => {
  await withNode(async (node, chain) => {
    await withTemporaryDirectory(async (directory) => {
      // A released port may be another program's a moment later; a file of ours may not.
      const address = `ipc://${directory}/blocks`;
      const publisher = new Publisher();
      await publisher.bind(address);
      const announcements = await listenForBlocks(address);
      const upstream = createHttpUpstream({ url: node.url });
      const source = createNodeSource(upstream, network, { pollMilliseconds: 3_600_000, announcements });
      let publishing = publisher;
      const publishUntil = async (seen: Promise<IndexerEvent>): Promise<void> => {
        let isSeen = false;
        void seen.then(() => {
          isSeen = true;
        });
        // Messages that are published before the subscription are lost.
        for (; !isSeen; await sleep(20)) await publishing.send(["hashblock", Buffer.alloc(32), Buffer.alloc(4)]);
      };
      await follow(source, async ({ until }) => {
        await until(isReadyAt(30));
        const first = until(isReadyAt(31));
        node.chain = [...node.chain, ...grow(chain, node.chain.at(-1) ?? chain.genesis, 1)];
        await publishUntil(first);
        await publisher.unbind(address);
        publisher.close();
        publishing = new Publisher();
        await publishing.bind(address);
        const second = until(isReadyAt(32));
        node.chain = [...node.chain, ...grow(chain, node.chain.at(-1) ?? chain.genesis, 1)];
        await publishUntil(second);
      });
      publishing.close();
    });
  });
});

it("refuses what is no address of a publisher", async () => {
  await expect(listenForBlocks("carrier-pigeon")).rejects.toMatchObject({ name: "IndexerError" });
});
