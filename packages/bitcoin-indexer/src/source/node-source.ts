import { setTimeout as sleep } from "node:timers/promises";
import {
  type BlockHash,
  type BlockHeader,
  displayHash,
  fromHex,
  meetsProofOfWork,
  type Network,
  parseBlockHeader,
} from "@nodewright/bitcoin-primitives";
import type { Upstream, UpstreamCall, UpstreamRpcError } from "@nodewright/upstream";
import { IndexerError } from "../basics/indexer-error.ts";
import type { BlockAnnouncements } from "./block-announcements.ts";
import type {
  BlockSource,
  ChainConfirmation,
  KnownChain,
  SourceBlock,
  SourceChain,
  SourceHeader,
} from "./block-source.ts";
import { findForkHeight } from "./fork-height.ts";

/** Options of a source that fetches blocks from a node. */
export interface NodeSourceOptions {
  /** Milliseconds between two polls of the node's best block. */
  readonly pollMilliseconds?: number | undefined;
  /** Announcements of new blocks, on which the node is polled at once. Closed with the source. */
  readonly announcements?: BlockAnnouncements | undefined;
}

const defaultPollMilliseconds = 1_000;

/** Age of the best block in seconds above which Bitcoin Core and btcd consider themselves to be downloading. */
const maximumTipAge = 24 * 60 * 60;

const stillDownloading = "the node is still downloading blocks";

/** Maximum headers of one result of `chain`. More than the deepest reorganization, so that its work can be compared at once. */
const headersPerChain = 2_000;

/** Limits of blocks in one request, while they are small, and of their length: a block is at most 8,000,000 hex digits. */
const maximumBlocksPerRequest = 50;
const wantedBytesPerRequest = 2_000_000;

/**
 * Creates a source that reads blocks from a node over JSON-RPC (btcd, Bitcoin Core): `getblockcount`, `getbestblockhash`, `getblockhash`,
 * `getblockheader` and `getblock` in their serialized forms.
 *
 * The node is not trusted: headers must have the work they claim and be connected. The node decides which of the valid chains is the best
 * one, because it has validated them: the index follows it also to a chain with less work, unless the node is still downloading blocks or,
 * of several nodes, another one has more work. Failures of the node and of the connection are `IndexerError` with `retry`, without the
 * node's address. Closes `upstream` when it is closed itself.
 */
export function createNodeSource(upstream: Upstream, network: Network, options: NodeSourceOptions = {}): BlockSource {
  return new NodeSource(upstream, network, options);
}

class NodeSource implements BlockSource {
  readonly network: Network;
  readonly name = "the node";
  readonly isRemote = true;
  readonly #upstream: Upstream;
  readonly #pollMilliseconds: number;
  readonly #announcements: BlockAnnouncements | undefined;
  #bestHash: BlockHash | undefined;
  /** Whether the latest result of `chain` leads to `#bestHash`, as far as it goes. */
  #isConsistent = false;
  /** Whether the latest result of `chain` was not confirmed for a temporary reason. */
  #isHeldBack = false;
  #blockLength = 0;
  #respondedAt: number | undefined;

  constructor(upstream: Upstream, network: Network, { pollMilliseconds, announcements }: NodeSourceOptions) {
    this.#upstream = upstream;
    this.network = network;
    this.#pollMilliseconds = pollMilliseconds ?? defaultPollMilliseconds;
    this.#announcements = announcements;
  }

  get respondedAt(): number | undefined {
    return this.#respondedAt;
  }

  async chain(known: KnownChain, signal: AbortSignal): Promise<SourceChain> {
    const bestHash = await this.#requestHash("getbestblockhash", [], signal);
    const height = await this.#requestHeight(signal);
    await this.#checkNetwork(signal);
    await this.#checkBest(bestHash, height, signal);
    const fork = await findForkHeight(known, height, (at) => this.#requestHash("getblockhash", [at], signal));
    const parent = fork === -1 ? undefined : await known.hashAt(fork);
    const headers = await this.#requestHeaders(fork + 1, Math.min(height, fork + headersPerChain), parent, signal);
    const last = headers.at(-1);
    this.#bestHash = bestHash;
    this.#isConsistent = (last?.height ?? fork) < height || (last?.hash ?? parent) === bestHash;
    this.#isHeldBack = false;
    this.#respondedAt = Date.now();
    return { headers, height };
  }

  readonly confirmChain = async (signal: AbortSignal): Promise<ChainConfirmation> => {
    if (!this.#isConsistent) return { isConfirmed: false };
    // In the middle of a reorganization, and while it downloads blocks, a node exposes each block only for a moment.
    await sleep(Math.min(this.#pollMilliseconds, defaultPollMilliseconds), undefined, { signal });
    const isUnchanged = await this.#isUnchanged(signal);
    // A node that downloads may have another block at each poll: it is to be described as downloading nevertheless.
    if (!isUnchanged && !(await this.#isDownloading(signal))) return { isConfirmed: false };
    const reason = isUnchanged ? await this.#findObstacle(signal) : stillDownloading;
    this.#isHeldBack = reason !== undefined;
    return reason === undefined ? { isConfirmed: true } : { isConfirmed: false, reason };
  };

  async *blocks(headers: readonly SourceHeader[], signal: AbortSignal): AsyncIterable<SourceBlock> {
    let nextBatch = this.#requestBlocks(headers, 0, signal);
    for (let start = 0; start < headers.length; ) {
      const blocks = await nextBatch.blocks;
      start = nextBatch.end;
      // The next blocks are fetched while these are indexed. Their failure is handled when they are needed.
      if (start < headers.length) {
        nextBatch = this.#requestBlocks(headers, start, signal);
        nextBatch.blocks.catch(() => undefined);
      }
      for (const bytes of blocks) yield { bytes, origin: { name: this.name } };
    }
  }

  /** Polls until the node's best block differs from the one that `chain` saw, or no obstacle is left to follow it. */
  readonly changed = async (signal: AbortSignal): Promise<void> => {
    do {
      await this.#pause(signal);
    } while ((await this.#isUnchanged(signal)) && !(await this.#isReleased(signal)));
  };

  async close(): Promise<void> {
    this.#announcements?.close();
    await this.#upstream.close();
  }

  /** Waits until the node must be polled again. */
  async #pause(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const waits = [sleep(this.#pollMilliseconds, undefined, { signal: either }), this.#announcements?.next(either)];
    try {
      await Promise.race(waits.filter((wait) => wait !== undefined));
    } finally {
      over.abort();
      await Promise.allSettled(waits);
    }
  }

  async #isUnchanged(signal: AbortSignal): Promise<boolean> {
    const bestHash = await this.#requestHash("getbestblockhash", [], signal);
    this.#respondedAt = Date.now();
    return bestHash === this.#bestHash;
  }

  async #isReleased(signal: AbortSignal): Promise<boolean> {
    return this.#isHeldBack && (await this.#findObstacle(signal)) === undefined;
  }

  /** Returns why the node's chain is not followed where it has no more work, as a clause; `undefined` when it is. */
  async #findObstacle(signal: AbortSignal): Promise<string | undefined> {
    // Only an upstream of several nodes follows their heads.
    const isOneOfSeveral = this.#upstream.onHead !== undefined;
    if (isOneOfSeveral && this.#upstream.head?.hash !== this.#bestHash) return "another node has more work";
    return (await this.#isDownloading(signal)) ? stillDownloading : undefined;
  }

  /**
   * Returns whether the node is in its initial block download, in which its best block says nothing about the chain. Bitcoin Core does
   * not count the last day of a download as one, so the index may go back by those blocks for as long as they take.
   */
  async #isDownloading(signal: AbortSignal): Promise<boolean> {
    // Regtest nodes have no blocks to download, and chains of tests are old.
    if (this.network.name === "regtest") return false;
    const [result] = await this.#upstream.batch([{ method: "getblockchaininfo", params: [] }], { signal });
    if (result?.ok !== true) {
      if (result === undefined || isUpstreamRpcError(result.error)) return false;
      throw this.#failedCall(result.error, "getblockchaininfo");
    }
    const information = (result.result ?? {}) as {
      readonly initialblockdownload?: unknown;
      readonly mediantime?: unknown;
    };
    if (typeof information.initialblockdownload === "boolean") return information.initialblockdownload;
    // btcd does not report it.
    const { mediantime } = information;
    return typeof mediantime === "number" && Date.now() / 1_000 - mediantime > maximumTipAge;
  }

  /** Checks the node's own best block. A node without it, or with a different result at each call, is not followed. */
  async #checkBest(bestHash: BlockHash, height: number, signal: AbortSignal): Promise<void> {
    if ((await this.#requestHash("getblockhash", [height], signal)) === bestHash) return;
    // A block that arrived between two calls is no contradiction.
    if ((await this.#requestHash("getbestblockhash", [], signal)) !== bestHash) return;
    if ((await this.#requestHeight(signal)) !== height) return;
    throw this.#invalidResponse(`its best block is not the one at its height ${height}`);
  }

  async #checkNetwork(signal: AbortSignal): Promise<void> {
    const genesis = await this.#requestHash("getblockhash", [0], signal);
    if (genesis === this.network.genesisHash) return;
    throw new IndexerError(
      "source-network",
      `The node is not on ${this.network.name}: its genesis block is ${genesis}. Name the node's network, or another node.`,
      { retry: true },
    );
  }

  async #requestHeaders(
    from: number,
    to: number,
    parent: BlockHash | undefined,
    signal: AbortSignal,
  ): Promise<readonly SourceHeader[]> {
    const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
    const hashes = await this.#batch(
      heights.map((height) => ({ method: "getblockhash", params: [height] })),
      signal,
    );
    const results = await this.#batch(
      hashes.map((hash) => ({ method: "getblockheader", params: [hash, false] })),
      signal,
    );
    let previousHash = parent ?? "0".repeat(64);
    return results.map((result, index) => {
      const height = from + index;
      const header = this.#readHeader(result, height);
      const hash = displayHash(header.hash);
      if (hash !== hashes[index] || displayHash(header.previousHash) !== previousHash) {
        // A reorganization between two calls looks the same; the next attempt then finds it done.
        throw this.#invalidResponse(
          `the previous block hash of its header ${height} is not the hash of the block below`,
        );
      }
      previousHash = hash;
      return { hash, height, header };
    });
  }

  #readHeader(result: unknown, height: number): BlockHeader {
    const bytes = typeof result === "string" ? fromHex(result) : undefined;
    if (bytes?.length !== 80) throw this.#invalidResponse(`its header ${height} is not 80 bytes of hex`);
    const header = parseBlockHeader(bytes);
    if (!meetsProofOfWork(header, this.network)) {
      throw this.#invalidResponse(`its header ${height} does not meet the target that it names`);
    }
    return header;
  }

  #requestBlocks(
    headers: readonly SourceHeader[],
    start: number,
    signal: AbortSignal,
  ): { readonly end: number; readonly blocks: Promise<readonly Uint8Array[]> } {
    const fitting = Math.floor(wantedBytesPerRequest / Math.max(1, this.#blockLength));
    const count = this.#blockLength === 0 ? 1 : Math.max(1, Math.min(maximumBlocksPerRequest, fitting));
    const wanted = headers.slice(start, start + count);
    return { end: start + wanted.length, blocks: this.#readBlocks(wanted, signal) };
  }

  async #readBlocks(wanted: readonly SourceHeader[], signal: AbortSignal): Promise<readonly Uint8Array[]> {
    const results = await this.#batch(
      wanted.map(({ hash }) => ({ method: "getblock", params: [hash, 0] })),
      signal,
    );
    return results.map((result, index) => {
      const bytes = typeof result === "string" ? fromHex(result) : undefined;
      if (bytes === undefined) throw this.#invalidResponse(`its block ${wanted[index]?.height} is not hex`);
      this.#blockLength = Math.max(bytes.length, Math.floor(this.#blockLength * 0.9));
      this.#respondedAt = Date.now();
      return bytes;
    });
  }

  async #requestHash(method: string, params: readonly unknown[], signal: AbortSignal): Promise<BlockHash> {
    const result = await this.#call({ method, params }, signal);
    if (typeof result === "string" && /^[0-9a-f]{64}$/.test(result)) return result;
    throw this.#invalidResponse(`its response to ${method} is not a hash`);
  }

  async #requestHeight(signal: AbortSignal): Promise<number> {
    const result = await this.#call({ method: "getblockcount", params: [] }, signal);
    if (typeof result === "number" && Number.isInteger(result) && result >= 0) return result;
    throw this.#invalidResponse("its response to getblockcount is not a height");
  }

  async #call(call: UpstreamCall, signal: AbortSignal): Promise<unknown> {
    const [result] = await this.#batch([call], signal);
    return result;
  }

  async #batch(calls: readonly UpstreamCall[], signal: AbortSignal): Promise<readonly unknown[]> {
    if (calls.length === 0) return [];
    const results = await this.#upstream.batch(calls, { signal });
    return results.map((result, index) => {
      if (result.ok) return result.result;
      throw this.#failedCall(result.error, calls[index]?.method ?? "");
    });
  }

  #failedCall(reason: Error, method: string): IndexerError {
    const message = isUpstreamRpcError(reason) ? describeRefusal(reason.code, method) : reason.message;
    return new IndexerError("source-unavailable", `${message}. Trying again.`, { retry: true, cause: reason });
  }

  #invalidResponse(reason: string): IndexerError {
    return new IndexerError("bad-block", `The node gives invalid responses: ${reason}.`, { retry: true });
  }
}

/** Bitcoin Core's error code while it reads its own blocks. */
const warmingUpCode = -28;

function describeRefusal(code: number, method: string): string {
  return code === warmingUpCode ? "The node is still starting" : `The node refused ${method} with code ${code}`;
}

/** Compares the name here: loading the transport only for its guard would double the start of an indexer of block files. */
function isUpstreamRpcError(reason: Error): reason is UpstreamRpcError {
  return reason.name === "UpstreamRpcError";
}
