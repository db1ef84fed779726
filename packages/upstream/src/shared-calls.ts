import { methodKindOf } from "./method-kind.ts";
import type { UpstreamCall, UpstreamCallOptions } from "./upstream.ts";

type Call = (method: string, params: UpstreamCall["params"], options: UpstreamCallOptions) => Promise<unknown>;

interface Shared {
  readonly response: Promise<unknown>;
  readonly controller: AbortController;
  callers: number;
}

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
  readonly #running = new Map<string, Shared>();

  constructor(call: Call) {
    this.#call = call;
  }

  /** Number of calls in flight. */
  get size(): number {
    return this.#running.size;
  }

  call(method: string, params: UpstreamCall["params"], options: UpstreamCallOptions, key: string): Promise<unknown> {
    if (methodKindOf(method) === "act") return this.#call(method, params, options);
    const { signal, timeoutMilliseconds } = options;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    // A caller with a shorter timeout has a call of its own.
    const fullKey = timeoutMilliseconds === undefined ? key : `${timeoutMilliseconds} ${key}`;
    const shared = this.#running.get(fullKey) ?? this.#begin(fullKey, method, params, options);
    shared.callers += 1;
    return signal === undefined ? shared.response : this.#follow(fullKey, shared, signal);
  }

  #begin(key: string, method: string, params: UpstreamCall["params"], options: UpstreamCallOptions): Shared {
    const controller = new AbortController();
    const response = this.#call(method, params, { ...options, signal: controller.signal }).finally(() =>
      this.#end(key, shared),
    );
    const shared: Shared = { response, controller, callers: 0 };
    this.#running.set(key, shared);
    return shared;
  }

  #follow(key: string, shared: Shared, signal: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(signal.reason);
        shared.callers -= 1;
        if (shared.callers > 0) return;
        // A later identical call must not join a call that has ended.
        this.#end(key, shared);
        shared.controller.abort(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      shared.response.finally(() => signal.removeEventListener("abort", giveUp)).then(resolve, reject);
    });
  }

  #end(key: string, shared: Shared): void {
    if (this.#running.get(key) === shared) this.#running.delete(key);
  }
}
