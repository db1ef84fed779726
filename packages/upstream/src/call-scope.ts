/** Callback that ends a call before its result, given the reason. */
type EndListener = (reason: unknown) => void;

/** Reason of a scope whose deadline has passed. */
export class DeadlinePassed extends Error {
  override readonly name = "TimeoutError";
}

/**
 * Scope that may end a call before its result: its caller, its deadline, or the end of everything.
 *
 * Used in place of `AbortSignal.any` and `AbortSignal.timeout`, which cost more than the rest of a call. It must be closed.
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

  /** Notifies one listener, at once when the call has already ended. A further listener replaces it. */
  listen(listener: EndListener | undefined): void {
    this.#listener = listener;
    if (this.#isOver) listener?.(this.#reason);
  }

  /** Ends the call. The first reason counts. */
  end(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason;
    this.#listener?.(reason);
  }

  /** Closes the scope: nothing ends the call afterwards. */
  close(): void {
    this.#listener = undefined;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => this.end(this.#signal?.reason);
}
