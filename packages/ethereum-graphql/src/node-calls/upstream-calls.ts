import { ServiceError } from "@nodewright/runtime";
import {
  createResponseHold,
  isUpstreamRpcError,
  publicNodeText,
  type ResponseHold,
  type Upstream,
  type UpstreamRpcError,
} from "@nodewright/upstream";
import { answerLength } from "./answer-length.ts";
import type { Budget } from "../budget.ts";
import { type NodeTrouble, troubleOf } from "./node-trouble.ts";
import type { Reader, ReadRequest, SharedReads } from "../store/shared-reads.ts";

export interface UpstreamCallsOptions {
  readonly upstream: Upstream;
  /** Of all requests of the node. */
  readonly reads: SharedReads;
  /** Each member of a batch is one call; its signal ends those under way. */
  readonly budget: Budget;
  /** Called when something was changed through the node, or may have been. */
  readonly onWrite?: (() => void) | undefined;
}

/** A read that has not been sent: until then its params may be exchanged. */
export interface WaitingRead {
  readonly method: string;
  params: readonly unknown[];
  isSent: boolean;
}

interface Waiting extends WaitingRead, Reader {
  readonly answer: Promise<unknown>;
}

/**
 * The calls that one GraphQL request makes of the node.
 *
 * Calls made in the same turn go out as one batch; where some have to be the last to be carried out, these follow when the others are
 * answered. Equal reads are made once for the whole request, so that all its fields see the same answers.
 */
export class UpstreamCalls {
  readonly #upstream: Upstream;
  readonly #shared: SharedReads;
  readonly #budget: Budget;
  readonly #onWrite: (() => void) | undefined;
  readonly #reads = new Map<string, Promise<unknown>>();
  /** Those that were sent and not answered. */
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

  /** How many calls were made so far. */
  get count(): number {
    return this.#budget.used("calls");
  }

  /** Calls a method that only reads. Throws `UpstreamRpcError` for the node's own error answer, else `ServiceError`. */
  read(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const key = keyOfCall(method, params);
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    const { answer } = this.readAlone(method, params);
    this.#reads.set(key, answer);
    return answer;
  }

  /** As `read`, whatever was read before; the params may be exchanged until it is sent. */
  readAlone(
    method: string,
    params: readonly unknown[],
  ): { readonly call: WaitingRead; readonly answer: Promise<unknown> } {
    return this.#enqueue(this.#waiting, method, params);
  }

  /** As `read`, whatever was read before, ahead of all other calls of this turn; answered before them where there is a last one. */
  readFirst(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#enqueue(this.#first, method, params).answer;
  }

  /** As `read`, sent when all other calls of this turn are answered, and not shared with anyone who has asked before. */
  readLast(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#enqueue(this.#last, method, params).answer;
  }

  /** Calls a function when everything of this turn is known and before it is sent: it may add calls to it. */
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
  ): { readonly call: WaitingRead; readonly answer: Promise<unknown> } {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call: Waiting = {
      method,
      params,
      isSent: false,
      answer: promise,
      resolve: (value) => {
        this.#open.delete(call);
        try {
          this.#budget.take("upstreamBytes", answerLength(value));
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
    return { call, answer: promise };
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

  /** What a batch holds may be carried out at the same time (JSON-RPC 2.0, section 6), and what is cut to parts is. */
  async #sendInOrder(first: readonly Waiting[], waiting: readonly Waiting[], last: readonly Waiting[]): Promise<void> {
    for (const calls of [first, waiting]) {
      this.#send(calls);
      if (calls.length > 0) await Promise.allSettled(calls.map(({ answer }) => answer));
    }
    this.#send(last, false);
  }

  #send(calls: readonly Waiting[], isShared = true): void {
    // Those that wait may have been given up meanwhile.
    const wanted = calls.filter((call) => this.#open.has(call));
    const requests: ReadRequest[] = wanted.map((call) => {
      call.isSent = true;
      const { method, params } = call;
      return { call: { method, params }, key: isShared ? keyOfCall(method, params) : undefined, reader: call };
    });
    this.#hold ??= this.#createHold();
    this.#shared.send(requests, this.#hold);
  }

  /** Counts the responses until the request is over, which it is at once when they are given up. */
  #createHold(): ResponseHold {
    const hold = createResponseHold(({ message }) => {
      this.#budget.end(new ServiceError("upstream_unavailable", message));
    });
    this.#budget.whenOver(() => hold.release());
    return hold;
  }

  /** When the request ends unfinished, it waits for nothing any more. */
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

/** Names a call by all that its answer depends on. Most params are hexadecimal, which no JSON begins as and which has no spaces. */
export function keyOfCall(method: string, params: readonly unknown[]): string {
  let key = method;
  for (const param of params) {
    key += typeof param === "string" && param.startsWith("0x") ? ` ${param}` : ` ${JSON.stringify(param)}`;
  }
  return key;
}

const methodNotFound = -32_601;

/**
 * What a node's own error answer means for the caller of the service. `params` are those of the call, where an error can be about
 * nothing else: without one that the caller may have chosen, whatever the node says is about itself.
 */
export function failureOfNode(reason: unknown, params?: readonly unknown[]): unknown {
  if (!isUpstreamRpcError(reason)) return reason;
  if (reason.code === methodNotFound) {
    return new ServiceError("not_implemented", "The node does not offer what the field needs", { cause: reason });
  }
  const trouble = troubleOf(reason) ?? (params?.every(isNoChoice) === true ? "unwell" : undefined);
  if (trouble !== undefined) return failureOfTrouble(trouble, reason);
  // What the node says about the caller's own input: a nonce, a balance, a block that is no longer kept.
  return new ServiceError("invalid_input", publicNodeText(reason.message), { cause: reason });
}

/** Throws what `failureOfNode` gives for a call of which nothing more is known. */
export function throwFailureOfNode(reason: unknown): never {
  throw failureOfNode(reason);
}

/** The same for a call about places of the node's own, which no caller has chosen. */
export function throwFailureOfOwnCall(reason: unknown): never {
  throw failureOfNode(reason, []);
}

/** Block tags and flags. */
function isNoChoice(param: unknown): boolean {
  return typeof param === "boolean" || param === "latest" || param === "pending";
}

/** What callers are told of a node's trouble. */
export function failureOfTrouble(trouble: NodeTrouble, cause: UpstreamRpcError): ServiceError {
  return trouble === "slow"
    ? new ServiceError("upstream_timeout", "The node did not answer in time", { cause })
    : new ServiceError("upstream_unavailable", "The node could not answer", { cause });
}

/** True when the node does not offer the method. */
export function isMethodMissing(reason: unknown): reason is UpstreamRpcError {
  return isUpstreamRpcError(reason) && reason.code === methodNotFound;
}
