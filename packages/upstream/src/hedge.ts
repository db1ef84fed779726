/** One of two identical calls. */
export type Leg<T> = (signal: AbortSignal) => Promise<T>;

export interface HedgeOptions<T> {
  readonly first: Leg<T>;
  /** Starts the second call when the first has not finished in time; `undefined` when no node is left. */
  createSecond(): Leg<T> | undefined;
  readonly delayMilliseconds: number;
  /** Signal that ends both calls. */
  readonly signal?: AbortSignal | undefined;
  /** Returns whether a failure counts as a result. */
  isResponse(reason: unknown): boolean;
}

/**
 * Starts a second call when the first is slow. The first result wins, and the other call is aborted.
 *
 * A failure counts only when no call is left that may succeed. It is then the failure of the first one.
 */
export async function hedge<T>(options: HedgeOptions<T>): Promise<T> {
  const { first, createSecond, delayMilliseconds, signal, isResponse } = options;
  if (signal?.aborted === true) throw signal.reason;
  const controllers: AbortController[] = [];
  const endAll = (): void => {
    for (const [position, controller] of controllers.entries()) {
      const reason = position === 0 ? anotherWasFaster : firstWasFaster;
      controller.abort(signal?.aborted === true ? signal.reason : reason);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  signal?.addEventListener("abort", endAll, { once: true });
  try {
    return await new Promise<T>((resolve, reject) => {
      let failure: { readonly reason: unknown } | undefined;
      let running = 0;
      const run = (leg: Leg<T>): void => {
        const controller = new AbortController();
        controllers.push(controller);
        running += 1;
        leg(controller.signal).then(resolve, (reason: unknown) => {
          running -= 1;
          failure ??= { reason };
          if (isResponse(reason)) reject(reason);
          else if (running === 0) reject(failure.reason);
        });
      };
      timer = setTimeout(() => {
        const second = createSecond();
        if (second !== undefined) run(second);
      }, delayMilliseconds);
      run(first);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", endAll);
    endAll();
  }
}

/** Reason for which the first leg is aborted: the second, which was started later, has finished. */
export const anotherWasFaster: Error = new Error("Another node was faster");

/** Reason for which the second leg is aborted. It was started later, so its silence says nothing about the node. */
export const firstWasFaster: Error = new Error("The first node was faster");
