import { setTimeout as sleep } from "node:timers/promises";
import type { BlockHolders } from "./block-holders.ts";
import type { NodeStanding } from "./node-standing.ts";
import { hedge } from "./hedge.ts";
import { LatencyRecord } from "./latency-record.ts";
import type { ListedString } from "./list-scanner.ts";
import { type MethodKind, methodKindOf } from "./method-kind.ts";
import { isUnavailable, MissingBlockError, moreSpecificFailure, planNextAttempt } from "./next-attempt.ts";
import type { NodeLink } from "./node-link.ts";
import { betterResult, OpenBatch } from "./open-batch.ts";
import { hedgeDelayOf } from "./hedge-delay.ts";
import { withResponseHold } from "./response-budget.ts";
import type { ListingUpstream, UpstreamCall, UpstreamCallOptions, UpstreamResult, UpstreamTotals } from "./upstream.ts";
import { isUpstreamFailure, UpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/** Standings of the nodes' chains. */
interface Standings {
  /** Fulfilled when a node is known to be healthy, or each has been polled. */
  readonly settled: Promise<void>;
  standingOf(link: NodeLink): NodeStanding;
  /** Returns whether the others are compared with this node, because its head is the best. */
  isLeading(link: NodeLink): boolean;
}

/** Rule by which a call gets one of the healthy nodes. */
export type NodePreference = "load" | "order" | "head";

export interface NodeGroupOptions {
  readonly timeoutMilliseconds: number;
  /**
   * Rule by which a node is chosen. `load`: the node with the fewest requests in flight. `order`: the first healthy one. `head`: the
   * healthy one with the best head.
   */
  readonly preference: NodePreference;
  /**
   * Whether a second node is called as soon as the first is slower than most responses. Otherwise only when it is silent for so long that
   * it seems to hang.
   */
  readonly isHedging: boolean;
  /** Absent: all nodes are healthy. */
  readonly standings?: Standings | undefined;
  /** Absent: each node has what the others have. */
  readonly holders?: BlockHolders | undefined;
}

/** Counters of the calls to one node after another attempt had failed or was slow. */
export interface GroupCounters {
  readonly retries: number;
  readonly hedges: number;
}

/** Minimum delay of a hedge in milliseconds: hedges of fast methods would start before the first node has a chance. */
const minimumHedgeMilliseconds = 5;

/** Fraction of the remaining time that a silent node gets while another one is available. */
const firstPart = 0.5;

/** One attempt at a call. */
interface Attempt {
  readonly node: NodeLink;
  readonly options: UpstreamCallOptions;
  /** Nodes that were called, including this one. */
  readonly tried: Set<NodeLink>;
}

/** Predicate for nodes that are known to have what a call needs. */
type IsHolder = (node: NodeLink) => boolean;

/**
 * Group of nodes that acts as one: chooses a node for each call, and another one when that fails.
 *
 * A call that does more than read is sent once. Another node can follow only a node that has received nothing of it.
 */
export class NodeGroup implements ListingUpstream {
  readonly #nodes: readonly NodeLink[];
  readonly #options: NodeGroupOptions;
  readonly #latencies = new LatencyRecord();
  readonly #retries = new Map<NodeLink, number>();
  readonly #hedges = new Map<NodeLink, number>();
  #isSettled: boolean;

  constructor(nodes: readonly NodeLink[], options: NodeGroupOptions) {
    this.#nodes = nodes;
    this.#options = options;
    this.#isSettled = options.standings === undefined;
    void options.standings?.settled.then(() => {
      this.#isSettled = true;
    });
  }

  countersOf(node: NodeLink): GroupCounters {
    return { retries: this.#retries.get(node) ?? 0, hedges: this.#hedges.get(node) ?? 0 };
  }

  call(method: string, params: UpstreamCall["params"] = [], options: UpstreamCallOptions = {}): Promise<unknown> {
    const kind = methodKindOf(method);
    const call = { method, params };
    const { holders } = this.#options;
    const callNode = (attempt: Attempt, isHolder?: IsHolder): Promise<unknown> => {
      const hedgeDelay = kind === "read" ? this.#hedgeDelayOf(method, [call]) : undefined;
      if (hedgeDelay === undefined) return this.#callNode(attempt.node, call, attempt.options);
      return this.#hedge(attempt, hedgeDelay, isHolder, (node, ofLeg) => this.#callNode(node, call, ofLeg));
    };
    if (holders === undefined || kind !== "read") return this.#attempt(kind, options, callNode);
    return this.#callHolder(call, options, holders, callNode);
  }

  /** Calls further nodes when a node lacks what another one may have. The first result counts when none has it. */
  async #callHolder(
    call: UpstreamCall,
    options: UpstreamCallOptions,
    holders: BlockHolders,
    callNode: (attempt: Attempt, isHolder?: IsHolder) => Promise<unknown>,
  ): Promise<unknown> {
    const isHolder = holders.findHolders([call]);
    let lacking: UpstreamResult | undefined;
    const callHolder = async (attempt: Attempt): Promise<UpstreamResult> => {
      const result = await resultOf(callNode(attempt, isHolder));
      if (!holders.isLacking(call, result)) {
        holders.note(attempt.node, result);
        return result;
      }
      lacking = betterResult(result, lacking);
      if (this.#hasOther(attempt.tried)) throw new MissingBlockError();
      return lacking;
    };
    let result: UpstreamResult;
    try {
      result = await this.#attempt("read", options, callHolder, isHolder);
    } catch (reason) {
      if (lacking === undefined || options.signal?.aborted === true) throw reason;
      result = lacking;
    }
    if (result.ok) return result.result;
    throw result.error;
  }

  async batch(calls: readonly UpstreamCall[], options: UpstreamCallOptions = {}): Promise<readonly UpstreamResult[]> {
    if (calls.length === 0) return [];
    const batch = new OpenBatch(calls, this.#options.holders);
    const isHolder = this.#options.holders?.findHolders(calls);
    const latencyName = this.#nodes.length > 1 ? nameOfBatch(calls) : undefined;
    const attempt = async ({ node, options: ofAttempt, tried }: Attempt): Promise<void> => {
      const openCalls = batch.openCalls;
      const responses = await this.#callBatch({ node, options: ofAttempt, tried }, openCalls, latencyName, isHolder);
      batch.take(node, responses, this.#hasOther(tried));
    };
    try {
      await this.#attempt("read", options, attempt, isHolder);
      return batch.end();
    } catch (error) {
      if (!(error instanceof MissingBlockError) && !isUpstreamFailure(error)) throw error;
      return batch.end(error);
    }
  }

  list(
    method: string,
    params: UpstreamCall["params"],
    take: ListedString,
    options: UpstreamCallOptions = {},
  ): Promise<void> {
    let hasBegun = false;
    const takeFirst: ListedString = (bytes, start, end) => {
      hasBegun = true;
      take(bytes, start, end);
    };
    return this.#attempt("read", options, async (attempt) => {
      try {
        await attempt.node.list(method, params, takeFirst, attempt.options);
      } catch (reason) {
        // A caller that has received a part must not receive it again.
        throw hasBegun && isUpstreamFailure(reason)
          ? new UpstreamFailure(reason.message, { ...reason, kind: "limit" })
          : reason;
      }
    });
  }

  totals(): UpstreamTotals {
    const sum = { bytesSent: 0, bytesReceived: 0, methodCalls: 0 };
    for (const { upstream } of this.#nodes) {
      const { bytesSent, bytesReceived, methodCalls } = upstream.totals();
      sum.bytesSent += bytesSent;
      sum.bytesReceived += bytesReceived;
      sum.methodCalls += methodCalls;
    }
    return sum;
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map(({ upstream }) => upstream.close()));
  }

  /**
   * Makes attempts until there is a result, or no further attempt is possible. All attempts share their memory, so none waits for another.
   */
  #attempt<T>(
    kind: MethodKind,
    options: UpstreamCallOptions,
    callNode: (attempt: Attempt) => Promise<T>,
    isHolder?: IsHolder,
  ): Promise<T> {
    return withResponseHold(options.hold, (hold) => this.#attemptWith(kind, { ...options, hold }, callNode, isHolder));
  }

  async #attemptWith<T>(
    kind: MethodKind,
    options: UpstreamCallOptions,
    callNode: (attempt: Attempt) => Promise<T>,
    isHolder: IsHolder | undefined,
  ): Promise<T> {
    const milliseconds = options.timeoutMilliseconds ?? this.#options.timeoutMilliseconds;
    const end = performance.now() + milliseconds;
    if (!this.#isSettled) await this.#waitForStandings(milliseconds, options.signal);
    const tried = new Set<NodeLink>();
    let failure: unknown;
    for (let attempts = 1; ; attempts += 1) {
      const node = this.#choose(tried, isHolder) ?? this.#choose(noNodes, isHolder);
      if (node === undefined) throw failure ?? this.#describeOutage();
      if (attempts > 1) increase(this.#retries, node);
      tried.add(node);
      const remaining = Math.max(1, end - performance.now());
      const hasOtherNode = this.#hasOther(tried);
      const timeoutMilliseconds = Math.ceil(kind === "read" && hasOtherNode ? remaining * firstPart : remaining);
      let error: unknown;
      try {
        return await callNode({ node, options: { ...options, timeoutMilliseconds }, tried });
      } catch (reason) {
        if (options.signal?.aborted === true) throw options.signal.reason;
        error = reason;
      }
      failure = moreSpecificFailure(failure, error, kind);
      const delay = planNextAttempt({
        error,
        kind,
        attempts,
        remainingMilliseconds: end - performance.now(),
        hasOtherNode: this.#hasOther(tried),
      });
      if (delay === undefined) throw failure;
      if (delay > 0) await pause(delay, options.signal);
    }
  }

  /** Waits for the heads of the nodes. The wait uses the time of the call, and ends when the caller has gone. */
  async #waitForStandings(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const over = new AbortController();
    const ended = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
    try {
      await Promise.race([this.#options.standings?.settled, pause(milliseconds, ended)]);
    } finally {
      over.abort();
    }
  }

  async #callNode(node: NodeLink, { method, params }: UpstreamCall, options: UpstreamCallOptions): Promise<unknown> {
    if (this.#nodes.length === 1) return await node.call(method, params, options);
    const start = performance.now();
    const result = await node.call(method, params, options);
    this.#latencies.add(method, performance.now() - start);
    return result;
  }

  async #callBatch(
    attempt: Attempt,
    calls: readonly UpstreamCall[],
    latencyName: string | undefined,
    isHolder: IsHolder | undefined,
  ): Promise<readonly UpstreamResult[]> {
    if (latencyName === undefined) return await attempt.node.batch(calls, attempt.options);
    const callNode = async (node: NodeLink, options: UpstreamCallOptions): Promise<readonly UpstreamResult[]> => {
      const start = performance.now();
      const results = await node.batch(calls, options);
      const [first] = results;
      // Another node may still succeed.
      if (first?.ok === false && isUpstreamFailure(first.error) && !results.some(isResponse)) throw first.error;
      this.#latencies.add(latencyName, performance.now() - start);
      return results;
    };
    const hedgeDelay = this.#hedgeDelayOf(latencyName, calls);
    return hedgeDelay === undefined
      ? await callNode(attempt.node, attempt.options)
      : await this.#hedge(attempt, hedgeDelay, isHolder, callNode);
  }

  /** Returns the delay in milliseconds after which read-only calls are also sent to another node; undefined if never. */
  #hedgeDelayOf(latencyName: string, calls: readonly UpstreamCall[]): number | undefined {
    if (this.#nodes.length === 1) return undefined;
    const slow = this.#latencies.findSlow(latencyName);
    if (this.#options.isHedging && slow !== undefined) return Math.max(minimumHedgeMilliseconds, slow);
    let longestDelay = 0;
    for (const { method } of calls) {
      const hedgeDelay = hedgeDelayOf(method, slow);
      if (hedgeDelay === undefined) return undefined;
      longestDelay = Math.max(longestDelay, hedgeDelay);
    }
    return longestDelay;
  }

  #hedge<T>(
    { node, options, tried }: Attempt,
    delayMilliseconds: number,
    isHolder: IsHolder | undefined,
    callNode: (node: NodeLink, options: UpstreamCallOptions) => Promise<T>,
  ): Promise<T> {
    return hedge({
      first: (signal) => callNode(node, { ...options, signal }),
      createSecond: () => {
        const second = this.#choose(tried, isHolder);
        if (second === undefined) return undefined;
        tried.add(second);
        increase(this.#hedges, second);
        return (signal) => callNode(second, { ...options, signal });
      },
      delayMilliseconds,
      signal: options.signal,
      isResponse: (reason) => isUpstreamRpcError(reason) && !isUnavailable(reason),
    });
  }

  #hasOther(tried: ReadonlySet<NodeLink>): boolean {
    return this.#nodes.length > 1 && this.#choose(tried) !== undefined;
  }

  /**
   * Returns the best available node that is not in `except`: one that has what the call needs where one is known to, and an unheard one
   * only where none is healthy.
   */
  #choose(except: ReadonlySet<NodeLink>, isHolder?: IsHolder): NodeLink | undefined {
    let best: NodeLink | undefined;
    let bestRank = 0;
    for (const node of this.#nodes) {
      if (except.has(node) || !node.canPass()) continue;
      const standing = this.#options.standings?.standingOf(node) ?? "well";
      const rank = rankOf(standing, node, isHolder);
      if (rank === 0 || rank < bestRank) continue;
      const isBetter =
        best === undefined ||
        rank > bestRank ||
        (this.#options.preference === "load" && node.outstanding < best.outstanding) ||
        (this.#options.preference === "head" && this.#options.standings?.isLeading(node) === true);
      if (!isBetter) continue;
      best = node;
      bestRank = rank;
    }
    return best;
  }

  /** Returns the failure when no node is available; nothing was sent. */
  #describeOutage(): UpstreamFailure {
    const unavailable = this.#nodes.filter((node) => !node.canPass());
    const [first] = unavailable.toSorted((one, other) => one.remainingCooldown - other.remainingCooldown);
    if (first === undefined || unavailable.length < this.#nodes.length) {
      return new UpstreamFailure("No node has the head of the chain", { ...outage, retryAfterMilliseconds: 1_000 });
    }
    const message = first.lastFailure?.message.replace(/;.*$/s, "") ?? "The node could not be reached";
    return new UpstreamFailure(message, { ...outage, retryAfterMilliseconds: first.remainingCooldown });
  }
}

const noNodes: ReadonlySet<NodeLink> = new Set();
const outage = { kind: "unreachable", mayHaveArrived: false } as const;

/** Returns the rank of a node; 0 for an excluded one. */
function rankOf(standing: NodeStanding, node: NodeLink, isHolder: IsHolder | undefined): number {
  if (standing !== "well") return standing === "unheard" ? 1 : 0;
  return isHolder === undefined || isHolder(node) ? 3 : 2;
}

async function resultOf(work: Promise<unknown>): Promise<UpstreamResult> {
  try {
    return { ok: true, result: await work };
  } catch (error) {
    if (isUpstreamRpcError(error)) return { ok: false, error };
    throw error;
  }
}

function isResponse(result: UpstreamResult): boolean {
  return result.ok || isUpstreamRpcError(result.error);
}

/** Returns a name shared by batches of about the same work, as far as that can be seen. */
function nameOfBatch(calls: readonly UpstreamCall[]): string | undefined {
  if (!calls.every(({ method }) => methodKindOf(method) === "read")) return undefined;
  return `${calls[0]?.method} ${32 - Math.clz32(calls.length)}`;
}

function increase(counts: Map<NodeLink, number>, node: NodeLink): void {
  counts.set(node, (counts.get(node) ?? 0) + 1);
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch {
    throw signal?.reason;
  }
}
