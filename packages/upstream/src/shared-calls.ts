import { type Leave, SharedWork } from "@nodewright/runtime";
import { methodKindOf } from "./method-kind.ts";
import type { UpstreamCall, UpstreamCallOptions } from "./upstream.ts";

type Call = (method: string, params: UpstreamCall["params"], options: UpstreamCallOptions) => Promise<unknown>;

/** Returns the key of a call: everything that its result depends on. */
export function keyOfCall(method: string, params: UpstreamCall["params"]): string {
  return `${method}\n${JSON.stringify(params)}`;
}

/**
 * Merger of concurrent identical calls into one. Calls that act anew each time are not shared.
 *
 * A caller that aborts ends the shared call only when no other callers are left. Results are shared as well and must not be modified.
 */
export class SharedCalls {
  readonly #call: Call;
  readonly #work = new SharedWork<unknown>();

  constructor(call: Call) {
    this.#call = call;
  }

  /** Number of calls in flight. */
  get size(): number {
    return this.#work.size;
  }

  call(method: string, params: UpstreamCall["params"], options: UpstreamCallOptions, key: string): Promise<unknown> {
    if (methodKindOf(method) === "act") return this.#call(method, params, options);
    const { signal, timeoutMilliseconds } = options;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    // A caller with a shorter timeout has a call of its own.
    const fullKey = timeoutMilliseconds === undefined ? key : `${timeoutMilliseconds} ${key}`;
    let leave: Leave | undefined;
    const work = this.#work.run(
      () => fullKey,
      (onLeave) => (leave = onLeave),
      (audience) => this.#call(method, params, { ...options, signal: audience.signal }),
    );
    const result = Promise.resolve(work);
    return signal === undefined ? result : orAborted(result, signal, () => leave?.(signal.reason));
  }
}

/** Returns the result, or rejects with the signal's reason as soon as that is aborted, after `onAbort`. */
function orAborted(result: Promise<unknown>, signal: AbortSignal, onAbort: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(signal.reason);
      onAbort();
    };
    signal.addEventListener("abort", giveUp, { once: true });
    result.finally(() => signal.removeEventListener("abort", giveUp)).then(resolve, reject);
  });
}
