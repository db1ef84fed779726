import type { Upstream, UpstreamCallOptions } from "./upstream.ts";

const behind = new WeakMap<Upstream, Upstream>();

/** The upstream that others share, where this one is made for a caller: what is known of it is known by that. */
export function upstreamBehind(upstream: Upstream): Upstream {
  return behind.get(upstream) ?? upstream;
}

/** What a caller waits for the node, all calls that an answer takes together. */
const callerMilliseconds = 30_000;
/** The time of a call is shortened by so much at once, so that callers who ask for the same share a call. No call has less. */
const stepMilliseconds = 5_000;

/**
 * Gives an upstream whose calls end when a caller has gone, beside what ends them otherwise. The signal is asked for with the first call.
 *
 * Where an answer takes several calls, later ones have what the earlier ones left of half a minute.
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
  behind.set(forCaller, upstreamBehind(upstream));
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
