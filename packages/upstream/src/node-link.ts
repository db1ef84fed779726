import { CircuitBreaker, type CircuitBreakerOptions, type BreakerState } from "./circuit-breaker.ts";
import { anotherWasFaster } from "./hedge.ts";
import type { HttpUpstream, NodeCallOptions } from "./http-upstream.ts";
import type { ListedString } from "./list-scanner.ts";
import { usualMilliseconds } from "./hedge-delay.ts";
import type { UpstreamCall, UpstreamCallOptions, UpstreamResult } from "./upstream.ts";
import { type FailureKind, isUpstreamFailure, UpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/** Counters of the calls to a node since the upstream was created. */
export interface NodeCounters {
  /** Calls, counting each member of a batch. */
  readonly calls: number;
  /** Requests without a usable response; a busy node's refusals are counted separately. */
  readonly failures: number;
  /** Requests that the node refused because it was busy. */
  readonly refusals: number;
}

/** One node with its circuit breaker and its counters. Failures are classified here and nowhere else. */
export class NodeLink {
  /** Host and port: nothing else of an address may be shown. */
  readonly name: string;
  readonly upstream: HttpUpstream;
  readonly #breaker: CircuitBreaker;
  #outstanding = 0;
  #calls = 0;
  #failures = 0;
  #refusals = 0;
  #lastFailure: UpstreamFailure | undefined;
  #respondedAt: number | undefined;

  constructor(name: string, upstream: HttpUpstream, options: CircuitBreakerOptions) {
    this.name = name;
    this.upstream = upstream;
    this.#breaker = new CircuitBreaker(options);
  }

  /** Number of requests in flight. */
  get outstanding(): number {
    return this.#outstanding;
  }

  get breakerState(): BreakerState {
    return this.#breaker.state;
  }

  /** Milliseconds until a call passes again; 0 when one passes now. */
  get remainingCooldown(): number {
    return this.#breaker.remainingCooldown;
  }

  get lastFailure(): UpstreamFailure | undefined {
    return this.#lastFailure;
  }

  /** Time of the latest response as `Date.now` returns it; `undefined` before the first. */
  get respondedAt(): number | undefined {
    return this.#respondedAt;
  }

  get counters(): NodeCounters {
    return { calls: this.#calls, failures: this.#failures, refusals: this.#refusals };
  }

  canPass(): boolean {
    return this.#breaker.canPass();
  }

  async call(method: string, params: UpstreamCall["params"], options: UpstreamCallOptions): Promise<unknown> {
    return await this.#follow(1, options, async (followed) => {
      const result = await this.upstream.call(method, params, followed);
      this.#succeed();
      return result;
    });
  }

  async batch(calls: readonly UpstreamCall[], options: UpstreamCallOptions): Promise<readonly UpstreamResult[]> {
    return await this.#follow(calls.length, options, async (followed) => {
      const results = await this.upstream.batch(calls, followed);
      const response = results.find((result) => result.ok || isUpstreamRpcError(result.error));
      const [first] = results;
      if (response === undefined && first?.ok === false) this.#recordFailure(first.error);
      else this.#succeed();
      return results;
    });
  }

  async list(
    method: string,
    params: UpstreamCall["params"],
    take: ListedString,
    options: UpstreamCallOptions,
  ): Promise<void> {
    await this.#follow(1, options, async (followed) => {
      await this.upstream.list(method, params, take, followed);
      this.#succeed();
    });
  }

  /** Counts a request while it is in flight, and records its failure. A batch may take several: the node is silent since the last one. */
  async #follow<T>(
    calls: number,
    options: UpstreamCallOptions,
    work: (followed: NodeCallOptions) => Promise<T>,
  ): Promise<T> {
    let sentAt: number | undefined;
    const onSend = (): void => {
      sentAt = performance.now();
    };
    // A node whose response waits for those of others is not silent.
    const onHeldUp = (): void => {
      sentAt = undefined;
    };
    this.#begin(calls);
    try {
      return await work({ ...options, onSend, onHeldUp });
    } catch (reason) {
      this.#recordFailure(reason === anotherWasFaster ? silenceSince(sentAt) : reason);
      throw reason;
    } finally {
      this.#outstanding -= 1;
    }
  }

  #begin(calls: number): void {
    this.#breaker.begin();
    this.#outstanding += 1;
    this.#calls += calls;
  }

  #succeed(): void {
    this.#breaker.succeed();
    this.#respondedAt = Date.now();
  }

  #recordFailure(failure: unknown): void {
    if (isUpstreamRpcError(failure)) this.#succeed();
    else if (!isUpstreamFailure(failure) || neutralFailures.has(failure.kind)) {
      if (isUpstreamFailure(failure) && failure.kind === "busy") this.#refusals += 1;
      this.#breaker.cancel();
    } else {
      this.#failures += 1;
      this.#lastFailure = failure;
      this.#breaker.fail();
    }
  }
}

/**
 * Returns the failure of a silent node. A node that another one has overtaken before it counts as hanging is only slower, and one that
 * received no request was not silent.
 */
function silenceSince(sentAt: number | undefined): UpstreamFailure | undefined {
  if (sentAt === undefined || performance.now() - sentAt < usualMilliseconds) return undefined;
  return new UpstreamFailure("The node did not respond in time", { kind: "timeout", mayHaveArrived: true });
}

/** Kinds of failures that, like an abort by the caller, do not indicate the health of the node. */
const neutralFailures: ReadonlySet<FailureKind> = new Set(["busy", "limit"]);
