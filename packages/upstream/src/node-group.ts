import { setTimeout as sleep } from "node:timers/promises";
import type { NodeStanding } from "./head-judgement.ts";
import { hedge } from "./hedge.ts";
import { LatencyRecord } from "./latency-record.ts";
import type { ListedString } from "./list-scanner.ts";
import { type MethodKind, methodKindOf } from "./method-kind.ts";
import { planNextAttempt } from "./next-attempt.ts";
import type { NodeLink } from "./node-link.ts";
import type { ListingUpstream, UpstreamCall, UpstreamCallOptions, UpstreamResult, UpstreamTotals } from "./upstream.ts";
import { isUpstreamFailure, UpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/** What is known of the nodes' chains. */
interface Standings {
  /** Fulfilled when it is known of a node that it is well, or each has been asked. */
  readonly settled: Promise<void>;
  standingOf(link: NodeLink): NodeStanding;
}

export interface NodeGroupOptions {
  readonly timeoutMilliseconds: number;
  /** `load`: the node with the fewest requests under way; `order`: the first that is well. */
  readonly preference: "load" | "order";
  readonly isHedging: boolean;
  /** Absent: all are well. */
  readonly standings?: Standings | undefined;
}

/** How often one node was asked after another attempt had failed or was slow. */
export interface GroupCounters {
  readonly retries: number;
  readonly hedges: number;
}

/** Hedges of fast methods would come before the first node has a chance. */
const shortestHedgeMilliseconds = 5;

/** Of the time that is left, what a silent node has while another may be asked. */
const firstPart = 0.5;

/** One attempt at a call. */
interface Attempt {
  readonly node: NodeLink;
  readonly options: UpstreamCallOptions;
}

/**
 * Several nodes as one: chooses a node for each call, and another one when that fails.
 *
 * What does more than read is sent once. Only a node that has not got anything of it can be followed by another.
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
    return this.#attempt(kind, options, (attempt, tried) => {
      const slow = this.#options.isHedging && kind === "read" ? this.#latencies.findSlow(method) : undefined;
      if (slow !== undefined) return this.#hedge(attempt, { method, params }, slow, tried);
      return this.#ask(attempt.node, { method, params }, attempt.options);
    });
  }

  async batch(calls: readonly UpstreamCall[], options: UpstreamCallOptions = {}): Promise<readonly UpstreamResult[]> {
    const results = new Array<UpstreamResult | undefined>(calls.length).fill(undefined);
    let open = [...calls.keys()];
    const attempt = async ({ node, options: ofAttempt }: Attempt): Promise<void> => {
      const asked = open.flatMap((position) => calls[position] ?? []);
      const answers = await node.batch(asked, ofAttempt);
      for (const [index, position] of open.entries()) results[position] = answers[index];
      // Of what does more than read, the first answer stands, whatever it is.
      open = open.filter((position) => isRepeatable(calls[position], results[position]));
      const failed = results[open[0] ?? -1];
      if (failed?.ok === false) throw failed.error;
    };
    if (calls.length === 0) return [];
    try {
      await this.#attempt("read", options, attempt);
    } catch (error) {
      if (!isUpstreamFailure(error)) throw error;
      for (const position of open) results[position] ??= { ok: false, error };
    }
    return results.map((result) => result ?? { ok: false, error: leftOut() });
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
        // Who has got a part is not to get it once more.
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

  /** Attempts until there is an answer, or nothing more to be attempted. */
  async #attempt<T>(
    kind: MethodKind,
    options: UpstreamCallOptions,
    ask: (attempt: Attempt, tried: ReadonlySet<NodeLink>) => Promise<T>,
  ): Promise<T> {
    if (!this.#isSettled) await this.#options.standings?.settled;
    const end = performance.now() + (options.timeoutMilliseconds ?? this.#options.timeoutMilliseconds);
    const tried = new Set<NodeLink>();
    let failure: unknown;
    for (let attempts = 1; ; attempts += 1) {
      const node = this.#choose(tried) ?? this.#choose(noNodes);
      if (node === undefined) throw failure ?? this.#describeOutage();
      if (attempts > 1) increase(this.#retries, node);
      tried.add(node);
      const remaining = Math.max(1, end - performance.now());
      const hasOtherNode = this.#nodes.length > 1 && this.#choose(tried) !== undefined;
      const timeoutMilliseconds = Math.ceil(kind === "read" && hasOtherNode ? remaining * firstPart : remaining);
      let error: unknown;
      try {
        return await ask({ node, options: { ...options, timeoutMilliseconds } }, tried);
      } catch (reason) {
        if (options.signal?.aborted === true) throw options.signal.reason;
        error = reason;
      }
      // The time of the last attempts is short: what failed before says more than that it has passed.
      if (failure === undefined || !isTimeout(error)) failure = error;
      const delay = planNextAttempt({
        error,
        kind,
        attempts,
        remainingMilliseconds: end - performance.now(),
        hasOtherNode: this.#nodes.length > 1 && this.#choose(tried) !== undefined,
      });
      if (delay === undefined) throw failure;
      if (delay > 0) await pause(delay, options.signal);
    }
  }

  async #ask(node: NodeLink, { method, params }: UpstreamCall, options: UpstreamCallOptions): Promise<unknown> {
    if (!this.#options.isHedging) return await node.call(method, params, options);
    const start = performance.now();
    const result = await node.call(method, params, options);
    this.#latencies.add(method, performance.now() - start);
    return result;
  }

  #hedge({ node, options }: Attempt, call: UpstreamCall, slow: number, tried: ReadonlySet<NodeLink>): Promise<unknown> {
    return hedge({
      first: (signal) => this.#ask(node, call, { ...options, signal }),
      createSecond: () => {
        const second = this.#choose(tried);
        if (second === undefined) return undefined;
        increase(this.#hedges, second);
        return (signal) => this.#ask(second, call, { ...options, signal });
      },
      delayMilliseconds: Math.max(shortestHedgeMilliseconds, slow),
      signal: options.signal,
      isAnswer: isUpstreamRpcError,
    });
  }

  /** A node that calls may go to, the best one that is not among those; unheard ones only where none is well. */
  #choose(except: ReadonlySet<NodeLink>): NodeLink | undefined {
    let best: NodeLink | undefined;
    let isBestWell = false;
    for (const node of this.#nodes) {
      if (except.has(node) || !node.canPass()) continue;
      const standing = this.#options.standings?.standingOf(node) ?? "well";
      const isWell = standing === "well";
      if (!isWell && (standing !== "unheard" || isBestWell)) continue;
      const isBetter =
        best === undefined ||
        (isWell && !isBestWell) ||
        (this.#options.preference === "load" && node.outstanding < best.outstanding);
      if (!isBetter) continue;
      best = node;
      isBestWell = isWell;
    }
    return best;
  }

  /** Why no node can be asked; nothing was sent. */
  #describeOutage(): UpstreamFailure {
    const resting = this.#nodes.filter((node) => !node.canPass());
    const [first] = resting.toSorted((one, other) => one.restMilliseconds - other.restMilliseconds);
    if (first === undefined || resting.length < this.#nodes.length) {
      return new UpstreamFailure("No node has the head of the chain", { ...outage, retryAfterMilliseconds: 1_000 });
    }
    const message = first.lastFailure?.message.replace(/;.*$/s, "") ?? "The node could not be reached";
    return new UpstreamFailure(message, { ...outage, retryAfterMilliseconds: first.restMilliseconds });
  }
}

const noNodes: ReadonlySet<NodeLink> = new Set();
const outage = { kind: "unreachable", mayHaveArrived: false } as const;

function isRepeatable(call: UpstreamCall | undefined, result: UpstreamResult | undefined): boolean {
  if (call === undefined || methodKindOf(call.method) !== "read") return false;
  return result === undefined || (!result.ok && isUpstreamFailure(result.error));
}

function leftOut(): UpstreamFailure {
  return new UpstreamFailure("The node has left out a call", { kind: "unusable", mayHaveArrived: true });
}

function isTimeout(reason: unknown): boolean {
  return isUpstreamFailure(reason) && reason.kind === "timeout";
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
