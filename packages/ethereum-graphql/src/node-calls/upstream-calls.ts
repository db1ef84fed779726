import { ServiceError } from "@nodewright/runtime";
import {
  createResponseHold,
  isUpstreamRpcError,
  publicNodeText,
  type ResponseHold,
  type Upstream,
  type UpstreamRpcError,
} from "@nodewright/upstream";
import { responseLength } from "./response-length.ts";
import type { Budget } from "./budget.ts";
import { type NodeTrouble, troubleOf } from "./node-trouble.ts";
import type { Reader, ReadRequest, SharedReads } from "./shared-reads.ts";

export interface UpstreamCallsOptions {
  readonly upstream: Upstream;
  /** Reads of all requests of the node. */
  readonly reads: SharedReads;
  /** Budget; each member of a batch counts as one call, and its signal ends those in flight. */
  readonly budget: Budget;
  /** Callback for possible changes through the node. */
  readonly onWrite?: (() => void) | undefined;
}

/** A read that has not been sent: until then its params may be replaced. */
export interface WaitingRead {
  readonly method: string;
  params: readonly unknown[];
  isSent: boolean;
}

interface Waiting extends WaitingRead, Reader {
  readonly result: Promise<unknown>;
}

/**
 * Calls of one GraphQL request to the node.
 *
 * Calls made in the same turn are sent as one batch; where some must be executed last, these follow when the others have results. Equal
 * reads are made once for the complete request, so that all its fields see the same results.
 */
export class UpstreamCalls {
  readonly #upstream: Upstream;
  readonly #shared: SharedReads;
  readonly #budget: Budget;
  readonly #onWrite: (() => void) | undefined;
  readonly #reads = new Map<string, Promise<unknown>>();
  /** Calls in flight. */
  readonly #open = new Set<Waiting>();
  #first: Waiting[] = [];
  #waiting: Waiting[] = [];
  #last: Waiting[] = [];
  #planners: (() => void)[] = [];
  #isFlushing = false;
  #isFollowingSignal = false;
  #hold: ResponseHold | undefined;

  constructor({ upstream, reads, budget, onWrite }: UpstreamCallsOptions) {
    this.#upstream = upstream;
    this.#shared = reads;
    this.#budget = budget;
    this.#onWrite = onWrite;
  }

  /** Number of calls made so far. */
  get count(): number {
    return this.#budget.used("calls");
  }

  /** Calls a method that only reads. Throws `UpstreamRpcError` for the node's own error response, otherwise `ServiceError`. */
  read(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const key = keyOfCall(method, params);
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    const { result } = this.readAlone(method, params);
    this.#reads.set(key, result);
    return result;
  }

  /** Calls like `read`, whatever was read before; the params may be replaced until it is sent. */
  readAlone(
    method: string,
    params: readonly unknown[],
  ): { readonly call: WaitingRead; readonly result: Promise<unknown> } {
    return this.#enqueue(this.#waiting, method, params);
  }

  /**
   * Calls like `read`, whatever was read before, ahead of all other calls of this turn; it resolves before them where there is a last one.
   */
  readFirst(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#enqueue(this.#first, method, params).result;
  }

  /** Calls like `read`, sent when all other calls of this turn have results, and not shared with earlier ones. */
  readLast(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#enqueue(this.#last, method, params).result;
  }

  /** Calls a function when all calls of this turn are known and before they are sent: it may add calls. */
  beforeSend(plan: () => void): void {
    this.#planners.push(plan);
  }

  /** Calls a method that changes something: always, and by itself. */
  async write(method: string, params: readonly unknown[]): Promise<unknown> {
    this.#budget.take("calls", 1);
    try {
      return await this.#upstream.call(method, params, { signal: this.#budget.signal });
    } finally {
      this.#reads.clear();
      this.#shared.forget();
      this.#onWrite?.();
    }
  }

  #enqueue(
    queue: Waiting[],
    method: string,
    params: readonly unknown[],
  ): { readonly call: WaitingRead; readonly result: Promise<unknown> } {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call: Waiting = {
      method,
      params,
      isSent: false,
      result: promise,
      resolve: (value) => {
        this.#open.delete(call);
        try {
          this.#budget.take("upstreamBytes", responseLength(value));
          resolve(value);
        } catch (reason) {
          reject(reason);
        }
      },
      reject: (reason) => {
        this.#open.delete(call);
        reject(reason);
      },
    };
    // Everything that resolvers do without waiting for the node is done before the next tick.
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      void Promise.resolve().then(() => process.nextTick(() => this.#flush()));
    }
    queue.push(call);
    return { call, result: promise };
  }

  #flush(): void {
    const planners = this.#planners;
    this.#planners = [];
    for (const plan of planners) plan();
    const [first, waiting, last] = [this.#first, this.#waiting, this.#last];
    this.#first = [];
    this.#waiting = [];
    this.#last = [];
    this.#isFlushing = false;
    const calls = [...first, ...waiting, ...last];
    try {
      this.#followSignal();
      this.#budget.take("calls", calls.length);
    } catch (reason) {
      for (const { reject } of calls) reject(reason);
      return;
    }
    for (const call of calls) this.#open.add(call);
    if (last.length === 0) this.#send(calls);
    else void this.#sendInOrder(first, waiting, last);
  }

  /**
   * Sends batches in order. The calls of a batch may be executed concurrently (JSON-RPC 2.0, section 6), and batches that are split are.
   */
  async #sendInOrder(first: readonly Waiting[], waiting: readonly Waiting[], last: readonly Waiting[]): Promise<void> {
    for (const calls of [first, waiting]) {
      this.#send(calls);
      if (calls.length > 0) await Promise.allSettled(calls.map(({ result }) => result));
    }
    this.#send(last, false);
  }

  #send(calls: readonly Waiting[], isShared = true): void {
    // Waiting calls may have been aborted meanwhile.
    const wanted = calls.filter((call) => this.#open.has(call));
    const requests: ReadRequest[] = wanted.map((call) => {
      call.isSent = true;
      const { method, params } = call;
      return { call: { method, params }, key: isShared ? keyOfCall(method, params) : undefined, reader: call };
    });
    this.#hold ??= this.#createHold();
    this.#shared.send(requests, this.#hold);
  }

  /** Creates a hold that counts the responses until the request is over, which it is at once when they are dropped. */
  #createHold(): ResponseHold {
    const hold = createResponseHold(({ message }) => {
      this.#budget.end(new ServiceError("upstream_unavailable", message));
    });
    this.#budget.whenOver(() => hold.release());
    return hold;
  }

  /** Rejects all waiting calls when the request ends unfinished. */
  #followSignal(): void {
    if (this.#isFollowingSignal) return;
    this.#isFollowingSignal = true;
    const { signal } = this.#budget;
    signal.addEventListener(
      "abort",
      () => {
        for (const reader of this.#open) {
          this.#shared.leave(reader);
          reader.reject(signal.reason);
        }
      },
      { once: true },
    );
  }
}

/**
 * Returns the key of a call: everything that its result depends on. Most params are hexadecimal, which no JSON begins with and which has no
 * spaces.
 */
export function keyOfCall(method: string, params: readonly unknown[]): string {
  let key = method;
  for (const param of params) {
    key += typeof param === "string" && param.startsWith("0x") ? ` ${param}` : ` ${JSON.stringify(param)}`;
  }
  return key;
}

const methodNotFound = -32_601;

/**
 * Converts a node's own error response for the client of the service. `params` are those of the call, where an error can be about nothing
 * else: without one that the client may have chosen, the error is always about the node itself.
 */
export function failureOfNode(reason: unknown, params?: readonly unknown[]): unknown {
  if (!isUpstreamRpcError(reason)) return reason;
  if (reason.code === methodNotFound) {
    return new ServiceError("not_implemented", "The node does not offer what the field needs", { cause: reason });
  }
  const trouble = troubleOf(reason) ?? (params?.every(isNoOption) === true ? "unwell" : undefined);
  if (trouble !== undefined) return failureOfTrouble(trouble, reason);
  // An error about the client's own input: a nonce, a balance, a block that is no longer retained.
  return new ServiceError("invalid_input", publicNodeText(reason.message), { cause: reason });
}

/** Throws the result of `failureOfNode` for a call of which nothing more is known. */
export function throwFailureOfNode(reason: unknown): never {
  throw failureOfNode(reason);
}

/** Throws the same for a call about places of the node's own, which the client has not chosen. */
export function throwFailureOfOwnCall(reason: unknown): never {
  throw failureOfNode(reason, []);
}

/** Returns whether a param is a block tag or flag. */
function isNoOption(param: unknown): boolean {
  return typeof param === "boolean" || param === "latest" || param === "pending";
}

/** Creates the error that clients receive for a node's trouble. */
export function failureOfTrouble(trouble: NodeTrouble, cause: UpstreamRpcError): ServiceError {
  return trouble === "slow"
    ? new ServiceError("upstream_timeout", "The node did not respond in time", { cause })
    : new ServiceError("upstream_unavailable", "The node could not respond", { cause });
}

/** Returns whether the node does not offer the method. */
export function isMethodMissing(reason: unknown): reason is UpstreamRpcError {
  return isUpstreamRpcError(reason) && reason.code === methodNotFound;
}
