/** One of two who are asked for the same. */
export type Leg<T> = (signal: AbortSignal) => Promise<T>;

export interface HedgeOptions<T> {
  readonly first: Leg<T>;
  /** Asked when the first has not answered in time; `undefined` when there is nobody then. */
  createSecond(): Leg<T> | undefined;
  readonly delayMilliseconds: number;
  /** Ends both. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a failure is an answer that counts. */
  isAnswer(reason: unknown): boolean;
}

/**
 * Asks a second one when the first is slow: the first answer wins, and the other is ended.
 *
 * A failure counts only when nobody is left who may answer; it is the first one's then.
 */
export async function hedge<T>(options: HedgeOptions<T>): Promise<T> {
  const { first, createSecond, delayMilliseconds, signal, isAnswer } = options;
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
          if (isAnswer(reason)) reject(reason);
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

/** Why the first leg is aborted: the other has answered, which was asked later. */
export const anotherWasFaster: Error = new Error("Another node was faster");

/** Why the second leg is aborted. It was asked later, so that its silence says nothing. */
export const firstWasFaster: Error = new Error("The first node was faster");
