import type { Upstream, UpstreamCallOptions } from "./upstream.ts";

const behind = new WeakMap<Upstream, Upstream>();

/** The upstream that others share, where this one is made for a caller: what is known of it is known by that. */
export function upstreamBehind(upstream: Upstream): Upstream {
  return behind.get(upstream) ?? upstream;
}

/**
 * Gives an upstream whose calls end when a caller has gone, beside what ends them otherwise. The signal is asked for with the first call.
 */
export function withCallerSignal(upstream: Upstream, getSignal: () => AbortSignal): Upstream {
  let signal: AbortSignal | undefined;
  const withSignal = (options: UpstreamCallOptions | undefined): UpstreamCallOptions => {
    signal ??= getSignal();
    if (options === undefined) return { signal };
    return { ...options, signal: options.signal === undefined ? signal : AbortSignal.any([options.signal, signal]) };
  };
  const forCaller: Upstream = {
    call: (method, params, options) => upstream.call(method, params, withSignal(options)),
    batch: (calls, options) => upstream.batch(calls, withSignal(options)),
    totals: () => upstream.totals(),
    close: () => upstream.close(),
  };
  behind.set(forCaller, upstreamBehind(upstream));
  return forCaller;
}
