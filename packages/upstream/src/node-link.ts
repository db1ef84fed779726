import { CircuitBreaker, type BreakerFigures, type BreakerState } from "./circuit-breaker.ts";
import type { HttpUpstream } from "./http-upstream.ts";
import type { ListedString } from "./list-scanner.ts";
import type { UpstreamCall, UpstreamCallOptions, UpstreamResult } from "./upstream.ts";
import { type FailureKind, isUpstreamFailure, type UpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/** What has become of the calls to a node since the upstream was created. */
export interface NodeCounters {
  /** Calls, each member of a batch being one. */
  readonly calls: number;
  /** Requests without a usable answer; a busy node's refusals are apart. */
  readonly failures: number;
  /** Requests that the node refused for being busy. */
  readonly refusals: number;
}

/** One node with its breaker and its counters. Failures are judged here and nowhere else. */
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
  #answeredAt: number | undefined;

  constructor(name: string, upstream: HttpUpstream, figures: BreakerFigures) {
    this.name = name;
    this.upstream = upstream;
    this.#breaker = new CircuitBreaker(figures);
  }

  /** Requests under way. */
  get outstanding(): number {
    return this.#outstanding;
  }

  get breakerState(): BreakerState {
    return this.#breaker.state;
  }

  /** Until a call passes again; 0 when one does. */
  get restMilliseconds(): number {
    return this.#breaker.restMilliseconds;
  }

  get lastFailure(): UpstreamFailure | undefined {
    return this.#lastFailure;
  }

  /** As `Date.now` gives it; `undefined` before the first answer. */
  get answeredAt(): number | undefined {
    return this.#answeredAt;
  }

  get counters(): NodeCounters {
    return { calls: this.#calls, failures: this.#failures, refusals: this.#refusals };
  }

  canPass(): boolean {
    return this.#breaker.canPass();
  }

  async call(method: string, params: UpstreamCall["params"], options: UpstreamCallOptions): Promise<unknown> {
    this.#begin(1);
    try {
      const result = await this.upstream.call(method, params, options);
      this.#answered();
      return result;
    } catch (reason) {
      this.#judge(reason);
      throw reason;
    } finally {
      this.#outstanding -= 1;
    }
  }

  async batch(calls: readonly UpstreamCall[], options: UpstreamCallOptions): Promise<readonly UpstreamResult[]> {
    this.#begin(calls.length);
    try {
      const results = await this.upstream.batch(calls, options);
      const answer = results.find((result) => result.ok || isUpstreamRpcError(result.error));
      const [first] = results;
      if (answer === undefined && first?.ok === false) this.#judge(first.error);
      else this.#answered();
      return results;
    } catch (reason) {
      this.#judge(reason);
      throw reason;
    } finally {
      this.#outstanding -= 1;
    }
  }

  async list(
    method: string,
    params: UpstreamCall["params"],
    take: ListedString,
    options: UpstreamCallOptions,
  ): Promise<void> {
    this.#begin(1);
    try {
      await this.upstream.list(method, params, take, options);
      this.#answered();
    } catch (reason) {
      this.#judge(reason);
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

  #answered(): void {
    this.#breaker.succeed();
    this.#answeredAt = Date.now();
  }

  #judge(reason: unknown): void {
    if (isUpstreamRpcError(reason)) this.#answered();
    else if (!isUpstreamFailure(reason) || saysNothing.has(reason.kind)) {
      if (isUpstreamFailure(reason) && reason.kind === "busy") this.#refusals += 1;
      this.#breaker.leave();
    } else {
      this.#failures += 1;
      this.#lastFailure = reason;
      this.#breaker.fail();
    }
  }
}

/** As an abort by the caller, these say nothing about whether the node is well. */
const saysNothing: ReadonlySet<FailureKind> = new Set(["busy", "limit"]);
