import { ResponseCache } from "./response-cache.ts";
import { BlockHolders } from "./block-holders.ts";
import { type CircuitBreakerOptions, type BreakerState, defaultCircuitBreakerOptions } from "./circuit-breaker.ts";
import { finalityOf, isNamedByCall } from "./finality.ts";
import type { Head, HeadChange, NodeStanding } from "./node-standing.ts";
import { HeadTracker, type HeadTrackerOptions } from "./head-tracker.ts";
import { createHttpUpstream, type HttpUpstreamOptions } from "./http-upstream.ts";
import type { ListedString } from "./list-scanner.ts";
import { type GroupCounters, NodeGroup, type NodePreference } from "./node-group.ts";
import { type NodeCounters, NodeLink } from "./node-link.ts";
import { keyOfCall, SharedCalls } from "./shared-calls.ts";
import type { ListingUpstream, UpstreamCall, UpstreamCallOptions, UpstreamResult, UpstreamTotals } from "./upstream.ts";

/** Options of an upstream of one or more nodes. */
export interface GuardedUpstreamOptions {
  /** Nodes, at least one. The first ones are preferred where all else is equal. */
  readonly nodes: readonly HttpUpstreamOptions[];
  /** Timeout of a call with all its attempts, in milliseconds. */
  readonly timeoutMilliseconds?: number | undefined;
  /**
   * Rule by which a node is chosen. `load`: the node with the fewest requests in flight. `order`: the first healthy one. `head`: the
   * healthy one with the best head.
   */
  readonly preference?: NodePreference | undefined;
  readonly breaker?: Partial<CircuitBreakerOptions> | undefined;
  /** Options of the head tracker. Absent: heads are not polled, every node counts as healthy, and no result is cached. */
  readonly heads?: HeadTrackerOptions | undefined;
  /** Whether a second node is called when the first is slower than most responses to the method, and not only when it is silent. */
  readonly isHedging?: boolean | undefined;
  /** Memory of cached results, in bytes; 0 disables the cache. */
  readonly cacheBytes?: number | undefined;
}

/** State of one node, for its operator. */
export interface UpstreamNodeReport extends NodeCounters, GroupCounters {
  /** Host and port. */
  readonly name: string;
  readonly breaker: BreakerState;
  readonly standing: NodeStanding;
  /** Best block of the node, once it has reported one. */
  readonly head?: Pick<Head, "hash" | "height">;
  /** Number of blocks by which the node lags the best of all nodes. */
  readonly lag?: number;
  /** Number of requests in flight. */
  readonly outstanding: number;
  /** Maximum number of concurrent requests, as far as it is known what the node accepts. */
  readonly connectionBound: number;
  /** Maximum number of calls in one request, as far as it is known what the node accepts. */
  readonly batchLimit: number;
  readonly secondsSinceResponse?: number;
  /** Client version as the node writes it; only of Ethereum nodes. */
  readonly version?: string;
  /** Chain ID in decimal; only of Ethereum nodes. */
  readonly chainId?: string;
  /** Reason why the node cannot be called, in one sentence; absent while it can. */
  readonly problem?: string;
}

/** One or more nodes of a chain as one upstream that fails over where it can. */
export interface GuardedUpstream extends ListingUpstream {
  nodes(): readonly UpstreamNodeReport[];
}

const defaultTimeoutMilliseconds = 30_000;
const defaultCacheBytes = 32 * 1024 * 1024;

/**
 * Creates an upstream of one or more nodes. It chooses among the healthy nodes, retries reads, merges identical calls and caches results
 * while they are true. Results may be shared and must not be modified.
 *
 * Throws a `TypeError` when there is no node, and what `createHttpUpstream` throws.
 */
export function createGuardedUpstream(options: GuardedUpstreamOptions): GuardedUpstream {
  return new NodesUpstream(options);
}

class NodesUpstream implements GuardedUpstream {
  readonly #links: readonly NodeLink[];
  readonly #group: NodeGroup;
  readonly #tracker: HeadTracker | undefined;
  readonly #cache: ResponseCache | undefined;
  readonly #shared: SharedCalls;
  readonly #headListeners = new Set<(change: HeadChange) => void>();

  constructor(options: GuardedUpstreamOptions) {
    const { nodes, heads, timeoutMilliseconds = defaultTimeoutMilliseconds, preference = "load" } = options;
    const { cacheBytes = defaultCacheBytes, isHedging = false } = options;
    if (nodes.length === 0) throw new TypeError("An upstream needs a node");
    const figures = { ...defaultCircuitBreakerOptions, ...options.breaker };
    const names = namesOf(nodes);
    this.#links = nodes.map((node, position) => {
      return new NodeLink(names[position] ?? "", createHttpUpstream({ timeoutMilliseconds, ...node }), figures);
    });
    this.#cache = heads === undefined || cacheBytes === 0 ? undefined : new ResponseCache({ maximumBytes: cacheBytes });
    this.#tracker =
      heads &&
      new HeadTracker(this.#links, heads, (change) => {
        this.#cache?.changeHead(change.isReorganisation);
        for (const listener of this.#headListeners) listener(change);
      });
    const holders =
      this.#tracker !== undefined && heads?.words === "ethereum" && nodes.length > 1
        ? new BlockHolders(this.#links, this.#tracker)
        : undefined;
    const standings = this.#tracker;
    this.#group = new NodeGroup(this.#links, { timeoutMilliseconds, preference, isHedging, standings, holders });
    this.#shared = new SharedCalls((method, params, ofCall) => this.#group.call(method, params, ofCall));
  }

  call(method: string, params: UpstreamCall["params"] = [], options: UpstreamCallOptions = {}): Promise<unknown> {
    const key = keyOfCall(method, params);
    const cache = this.#cache;
    const head = this.#tracker?.head;
    if (cache === undefined || head === undefined) return this.#shared.call(method, params, options, key);
    const finality = finalityOf(method, params, head.height);
    if (finality === "never") return this.#shared.call(method, params, options, key);
    const known = cache.find(key);
    if (known !== undefined) return Promise.resolve(known.response);
    const { moment } = cache;
    return this.#shared.call(method, params, options, key).then((response) => {
      if (finality !== "hash" || isNamedByCall(method, params, response)) cache.keep(key, finality, response, moment);
      return response;
    });
  }

  batch(calls: readonly UpstreamCall[], options?: UpstreamCallOptions): Promise<readonly UpstreamResult[]> {
    return this.#group.batch(calls, options);
  }

  list(
    method: string,
    params: UpstreamCall["params"],
    take: ListedString,
    options?: UpstreamCallOptions,
  ): Promise<void> {
    return this.#group.list(method, params, take, options);
  }

  totals(): UpstreamTotals {
    return this.#group.totals();
  }

  get head(): Head | undefined {
    return this.#tracker?.head;
  }

  /** Registers a listener, which may not throw. */
  onHead(listener: (change: HeadChange) => void): () => void {
    this.#headListeners.add(listener);
    return () => void this.#headListeners.delete(listener);
  }

  nodes(): readonly UpstreamNodeReport[] {
    return this.#links.map((link) => this.#report(link));
  }

  async close(): Promise<void> {
    this.#tracker?.close();
    await this.#group.close();
  }

  #report(link: NodeLink): UpstreamNodeReport {
    const head = this.#tracker?.headOf(link);
    const { chain, software } = this.#tracker?.identityOf(link) ?? {};
    const standing = this.#tracker?.standingOf(link) ?? "well";
    const lag = standing === "other-network" ? undefined : this.#tracker?.lagOf(link);
    const { respondedAt } = link;
    const problem = describeProblem(standing, link);
    return {
      name: link.name,
      breaker: link.breakerState,
      standing,
      ...(head === undefined ? {} : { head: { hash: head.hash, height: head.height } }),
      ...(lag === undefined ? {} : { lag }),
      outstanding: link.outstanding,
      connectionBound: link.upstream.connectionBound,
      batchLimit: link.upstream.batchLimit,
      ...link.counters,
      ...this.#group.countersOf(link),
      ...(respondedAt === undefined ? {} : { secondsSinceResponse: Math.round((Date.now() - respondedAt) / 1_000) }),
      ...(software?.version === undefined ? {} : { version: software.version }),
      ...(chain?.chainId === undefined ? {} : { chainId: BigInt(chain.chainId).toString() }),
      ...(problem === undefined ? {} : { problem }),
    };
  }
}

const problems: Readonly<Record<Exclude<NodeStanding, "well" | "unheard">, string>> = {
  lagging: "It lacks blocks that another node has",
  forked: "Its best block is on a chain with less work than another",
  "went-back": "It has gone back to a lower height",
  "other-network": "It has another chain than the one that is wanted",
  "other-software": "It runs another program than the other nodes",
};

function describeProblem(standing: NodeStanding, { breakerState, lastFailure }: NodeLink): string | undefined {
  if (standing !== "well" && standing !== "unheard") return problems[standing];
  if (standing === "well" && breakerState === "closed") return undefined;
  return lastFailure?.message.replace(/;.*$/s, "") ?? "It has not reported its best block yet";
}

/** Returns host and port of each node, distinguished where they are the same. */
function namesOf(nodes: readonly HttpUpstreamOptions[]): readonly string[] {
  const seen = new Map<string, number>();
  return nodes.map(({ url }) => {
    const host = URL.parse(url)?.host ?? "";
    const count = (seen.get(host) ?? 0) + 1;
    seen.set(host, count);
    return count === 1 ? host : `${host} (${count})`;
  });
}
