import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { displayHash, networks, toHex } from "@nodewright/bitcoin-primitives";
import { createHttpUpstream } from "@nodewright/upstream";
import { expect, it } from "vitest";
import type { IndexerEvent } from "../indexer-event.ts";
import { runIndexer } from "../run-indexer.ts";
import { openEmbeddedStore } from "../store/embedded-store.ts";
import type { IndexStore } from "../store/index-store.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { createNodeSource } from "./node-source.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);

interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node that serves a chain over HTTP, and lies when told to. */
class StubNode {
  chain: readonly RegtestTip[];
  /** Changes an answer; gives `undefined` to leave it. */
  lie: (method: string, params: readonly unknown[]) => unknown = () => undefined;
  readonly #server: Server;
  #port = 0;

  constructor(chain: readonly RegtestTip[]) {
    this.chain = chain;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const calls: RpcCall | RpcCall[] = JSON.parse(Buffer.concat(chunks).toString());
        const answers = Array.isArray(calls) ? calls.map((call) => this.#answer(call)) : this.#answer(calls);
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(answers));
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** Listens, on the port of before if there was one. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    const address = this.#server.address() as AddressInfo;
    this.#port = address.port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(call: RpcCall): unknown {
    const result = this.lie(call.method, call.params) ?? this.#truth(call.method, call.params);
    const error = result === undefined ? { code: -5, message: "Block not found" } : null;
    return { id: call.id, result: result ?? null, error };
  }

  #truth(method: string, [first]: readonly unknown[]): unknown {
    const block = this.chain.find(({ hash }) => displayHash(hash) === first);
    switch (method) {
      case "getblockcount":
        return this.chain.length - 1;
      case "getbestblockhash":
        return hashText(this.chain.at(-1));
      case "getblockhash":
        return hashText(this.chain[Number(first)]);
      case "getblockheader":
        return block && toHex(block.bytes.subarray(0, 80));
      case "getblock":
        return block && toHex(block.bytes);
      default:
        return undefined;
    }
  }
}

function hashText(tip: RegtestTip | undefined): string | undefined {
  return tip && displayHash(tip.hash);
}

/** An indexer that follows a node, and what it has told. */
interface Following {
  readonly store: IndexStore;
  readonly events: readonly IndexerEvent[];
  /** Resolves with the next event, from now on, that fits. */
  until(fits: (event: IndexerEvent) => boolean): Promise<IndexerEvent>;
}

async function follow(node: StubNode, action: (following: Following) => Promise<void>): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, network);
    const source = createNodeSource(createHttpUpstream({ url: node.url }), network, { pollMilliseconds: 10 });
    const stop = new AbortController();
    const events: IndexerEvent[] = [];
    const waiting = new Set<(event: IndexerEvent) => void>();
    const running = runIndexer({
      store,
      source,
      signal: stop.signal,
      onEvent: (event) => {
        events.push(event);
        for (const tell of waiting) tell(event);
      },
    });
    const until: Following["until"] = (fits) =>
      new Promise((resolve) => {
        const tell = (event: IndexerEvent): void => {
          if (!fits(event)) return;
          waiting.delete(tell);
          resolve(event);
        };
        waiting.add(tell);
      });
    try {
      await action({ store, events, until });
    } finally {
      stop.abort();
      await running;
      await source.close();
      await store.close();
    }
  });
}

function isReadyAt(height: number): (event: IndexerEvent) => boolean {
  return (event) => event.state === "ready" && event.height === height;
}

function grow(chain: RegtestChain, from: RegtestTip, length: number): readonly RegtestTip[] {
  const grown: RegtestTip[] = [];
  while (grown.length < length) grown.push(chain.extend(grown.at(-1) ?? from, script));
  return grown;
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
    await follow(node, async ({ store, until }) => {
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

it("stays where it is while the node has less work", async () => {
  await withNode(async (node, chain) => {
    await follow(node, async ({ store, until }) => {
      await until(isReadyAt(30));
      const whole = node.chain;
      const seen = until(({ state, targetHeight }) => state === "ready" && targetHeight === 20);
      node.chain = whole.slice(0, 21);
      expect(await seen).toMatchObject({ height: 30 });
      expect((await store.queries().tip())?.height).toBe(30);
      const next = until(isReadyAt(31));
      node.chain = [...whole, ...grow(chain, whole.at(-1) ?? chain.genesis, 1)];
      await next;
    });
  });
});

it("says that the node is down, and goes on when it is back", async () => {
  await withNode(async (node, chain) => {
    await follow(node, async ({ until }) => {
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
    name: "headers that do not stand on each other",
    lie: (node) => (method, params) =>
      method === "getblockhash" && params[0] === 12 ? hashText(node.chain[13]) : undefined,
    reason: "does not stand on the block below",
  },
  {
    name: "another network's genesis block",
    lie: () => (method, params) =>
      method === "getblockhash" && params[0] === 0 ? networks.mainnet.genesisHash : undefined,
    reason: "The node is not on regtest",
  },
  {
    name: "no height",
    lie: () => (method) => (method === "getblockcount" ? "many" : undefined),
    reason: "no height",
  },
];

it.each(lies)("refuses $name, and goes on when the node is honest again", async ({ lie, reason }) => {
  await withNode(async (node) => {
    node.lie = lie(node);
    await follow(node, async ({ store, until }) => {
      const refused = await until(({ state }) => state === "stalled");
      expect(refused.reason).toContain(reason);
      expect((await store.queries().tip())?.height ?? -1).toBeLessThan(12);
      const honest = until(isReadyAt(30));
      node.lie = () => undefined;
      await honest;
    });
  });
});
