import type { Upstream, UpstreamCallOptions } from "./upstream.ts";

const behind = new WeakMap<Upstream, Upstream>();

/** Returns the shared upstream that one created for a caller wraps. What is known about an upstream is keyed by the shared one. */
export function sharedUpstreamOf(upstream: Upstream): Upstream {
  return behind.get(upstream) ?? upstream;
}

/** Time in milliseconds that a caller waits for the node: the sum of all calls that a response needs. */
const callerMilliseconds = 30_000;
/**
 * Step in milliseconds by which the remaining time of a call is shortened, so that callers with the same call can share it. No call has
 * less time.
 */
const stepMilliseconds = 5_000;

/**
 * Returns an upstream whose calls end when the caller has gone, in addition to their other reasons. The signal is read with the first call.
 *
 * When a response needs several calls, later ones have what the earlier ones left of half a minute.
 */
export function withCallerSignal(
  upstream: Upstream,
  getSignal: () => AbortSignal,
  now: () => number = () => performance.now(),
): Upstream {
  let signal: AbortSignal | undefined;
  let begun = 0;
  const withSignal = (options: UpstreamCallOptions | undefined): UpstreamCallOptions => {
    if (signal === undefined) {
      signal = getSignal();
      begun = now();
    }
    const limited = withinTime(options, now() - begun);
    if (limited === undefined) return { signal };
    return { ...limited, signal: limited.signal === undefined ? signal : AbortSignal.any([limited.signal, signal]) };
  };
  const forCaller: Upstream = {
    call: (method, params, options) => upstream.call(method, params, withSignal(options)),
    batch: (calls, options) => upstream.batch(calls, withSignal(options)),
    totals: () => upstream.totals(),
    get head() {
      return upstream.head;
    },
    onHead: upstream.onHead?.bind(upstream),
    close: () => upstream.close(),
  };
  behind.set(forCaller, sharedUpstreamOf(upstream));
  return forCaller;
}

function withinTime(options: UpstreamCallOptions | undefined, elapsed: number): UpstreamCallOptions | undefined {
  if (elapsed < stepMilliseconds) return options;
  const left = callerMilliseconds - Math.floor(elapsed / stepMilliseconds) * stepMilliseconds;
  const timeoutMilliseconds = Math.min(
    Math.max(left, stepMilliseconds),
    options?.timeoutMilliseconds ?? callerMilliseconds,
  );
  return { ...options, timeoutMilliseconds };
}
