/** Ends a call before its answer: given the reason. */
type EndListener = (reason: unknown) => void;

/** The reason of a scope whose deadline has passed. */
export class DeadlinePassed extends Error {
  override readonly name = "TimeoutError";
}

/**
 * What may end a call before its answer: its caller, its deadline, or the end of everything.
 *
 * In place of `AbortSignal.any` and `AbortSignal.timeout`, which cost more than the rest of a call. Must be closed.
 */
export class CallScope {
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;
  #reason: unknown;
  #listener: EndListener | undefined;

  constructor(timeoutMilliseconds: number, signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#timer = setTimeout(() => this.end(new DeadlinePassed("The deadline has passed")), timeoutMilliseconds);
    if (signal === undefined) return;
    if (signal.aborted) this.end(signal.reason);
    else signal.addEventListener("abort", this.#abort);
  }

  /** Throws the reason when the call has ended. */
  throwIfOver(): void {
    if (this.#isOver) throw this.#reason;
  }

  /** Tells one listener, at once when the call has ended already; another takes its place. */
  listen(listener: EndListener | undefined): void {
    this.#listener = listener;
    if (this.#isOver) listener?.(this.#reason);
  }

  /** Ends the call; the first reason counts. */
  end(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason;
    this.#listener?.(reason);
  }

  /** Nothing ends the call any more. */
  close(): void {
    this.#listener = undefined;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => this.end(this.#signal?.reason);
}
