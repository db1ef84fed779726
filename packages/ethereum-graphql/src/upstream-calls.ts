import { ServiceError } from "@nodewright/runtime";
import {
  isUpstreamRpcError,
  type Upstream,
  type UpstreamCall,
  type UpstreamResult,
  type UpstreamRpcError,
} from "@nodewright/upstream";

export interface UpstreamCallsOptions {
  readonly upstream: Upstream;
  /** Most calls of one GraphQL request; each member of a batch is one. */
  readonly maximumCalls: number;
  readonly signal: AbortSignal | undefined;
}

interface Waiting {
  readonly call: UpstreamCall;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The calls that one GraphQL request makes of the node.
 *
 * Calls made in the same turn go out as one batch. Equal reads are made once for the whole request, so that all its
 * fields see the same answers.
 */
export class UpstreamCalls {
  readonly #upstream: Upstream;
  readonly #maximumCalls: number;
  readonly #signal: AbortSignal | undefined;
  readonly #reads = new Map<string, Promise<unknown>>();
  #waiting: Waiting[] = [];
  #count = 0;

  constructor({ upstream, maximumCalls, signal }: UpstreamCallsOptions) {
    this.#upstream = upstream;
    this.#maximumCalls = maximumCalls;
    this.#signal = signal;
  }

  /** How many calls were made so far. */
  get count(): number {
    return this.#count;
  }

  /** Calls a method that only reads. Throws `UpstreamRpcError` for the node's own error answer, else `ServiceError`. */
  read(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const key = JSON.stringify([method, params]);
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    const result = this.#enqueue({ method, params });
    this.#reads.set(key, result);
    return result;
  }

  /** Calls a method that changes something: always, and by itself. */
  async write(method: string, params: readonly unknown[]): Promise<unknown> {
    this.#take(1);
    return await this.#upstream.call(method, params, { signal: this.#signal });
  }

  #enqueue(call: UpstreamCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      // Everything that resolvers do without waiting for the node is done before the next tick.
      if (this.#waiting.length === 0) void Promise.resolve().then(() => process.nextTick(() => this.#flush()));
      this.#waiting.push({ call, resolve, reject });
    });
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      this.#take(waiting.length);
      const calls = waiting.map(({ call }) => call);
      const results = await this.#send(calls);
      for (const [position, { resolve, reject }] of waiting.entries()) {
        const result = results[position];
        if (result === undefined) throw new Error("Expected a result for each call");
        if (result.ok) resolve(result.result);
        else reject(result.error);
      }
    } catch (reason) {
      for (const { reject } of waiting) reject(reason);
    }
  }

  async #send(calls: readonly UpstreamCall[]): Promise<readonly UpstreamResult[]> {
    return await this.#upstream.batch(calls, { signal: this.#signal });
  }

  #take(calls: number): void {
    if (this.#count + calls > this.#maximumCalls) {
      throw new ServiceError(
        "invalid_input",
        `The request needs more than ${this.#maximumCalls} calls of the node; ask for less at once`,
      );
    }
    this.#count += calls;
  }
}

/** What a node's own error answer means for the caller of the service. */
export function failureOfNode(reason: unknown): unknown {
  if (!isUpstreamRpcError(reason)) return reason;
  switch (reason.code) {
    case -32601:
      return new ServiceError("not_implemented", "The node does not offer what the field needs", { cause: reason });
    case -32603:
    case -32005:
    case -32700:
      return new ServiceError("upstream_unavailable", "The node could not answer", { cause: reason });
    default:
      // What the node says about the caller's own input: a nonce, a balance, a block that is no longer kept.
      return new ServiceError("invalid_input", reason.message, { cause: reason });
  }
}

/** True when the node does not offer the method. */
export function isMethodMissing(reason: unknown): reason is UpstreamRpcError {
  return isUpstreamRpcError(reason) && reason.code === -32601;
}
