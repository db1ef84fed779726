import type { Upstream, UpstreamCallOptions } from "./upstream.ts";

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
  return {
    call: (method, params, options) => upstream.call(method, params, withSignal(options)),
    batch: (calls, options) => upstream.batch(calls, withSignal(options)),
    totals: () => upstream.totals(),
    close: () => upstream.close(),
  };
}
