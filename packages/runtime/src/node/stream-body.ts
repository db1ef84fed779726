import { Readable } from "node:stream";

/** Options for sending a body of items. */
export interface StreamBodyOptions {
  /** Serializes one item. Throws for an invalid item. */
  write(item: unknown): string | Uint8Array;
  /** Called once when the client takes the first of it: headers may be sent before there is an item. */
  onStart(): void;
  /** Callback for a failure that ends the body prematurely. */
  onError(error: unknown): void;
}

/**
 * Creates a body whose items are consumed as the client takes them: the next is not requested before the last has been sent. When the
 * client goes away, the items' `return` is called at once, even while one is awaited. A failure ends the body prematurely, so that a client
 * can't take it for complete.
 */
export function createStreamBody(items: AsyncIterator<unknown>, options: StreamBodyOptions): Readable {
  const state = { isStarted: false, isAwaited: false, isDone: false };
  const finish = (): void => {
    if (state.isDone) return;
    state.isDone = true;
    // The client has gone; a failure of the cleanup can only be logged.
    void Promise.resolve(items.return?.()).catch(options.onError);
  };
  const pull = async (): Promise<void> => {
    state.isAwaited = true;
    try {
      while (await pushNext(items, body, options, state)) {
        // As long as the client takes more.
      }
    } catch (error) {
      if (!state.isDone) {
        options.onError(error);
        body.destroy(new Error("The stream of items has failed"));
      }
    } finally {
      state.isAwaited = false;
    }
  };
  const body = new Readable({
    highWaterMark: waitingBytes,
    read() {
      if (!state.isStarted) {
        state.isStarted = true;
        options.onStart();
      }
      if (!state.isAwaited && !state.isDone) void pull();
    },
    destroy(error, done) {
      finish();
      done(error);
    },
  });
  return body;
}

/** Buffer size in bytes. It is small, because an item that waits here is late. */
const waitingBytes = 16_384;

/** Pushes one item; returns false when no more are wanted now, or there are none. */
async function pushNext(
  items: AsyncIterator<unknown>,
  body: Readable,
  { write }: StreamBodyOptions,
  state: { isDone: boolean },
): Promise<boolean> {
  const { done, value } = await items.next();
  if (state.isDone) return false;
  if (done === true) {
    state.isDone = true;
    body.push(null);
    return false;
  }
  return body.push(write(value));
}

/** Returns whether a value is an async iterable. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/**
 * Returns the iterator of a handler's result once it is known not to fail at once: an error of its first step before any wait is thrown
 * here, so that the response can still have a status of its own.
 */
export async function startIterator(items: AsyncIterable<unknown>): Promise<AsyncIterator<unknown>> {
  const iterator = items[Symbol.asyncIterator]();
  const first = iterator.next();
  const { promise: soon, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await Promise.race([first, soon]);
  let given: Promise<IteratorResult<unknown>> | undefined = first;
  // A later failure is reported where the item is consumed.
  first.catch(() => undefined);
  return {
    next() {
      const next = given ?? iterator.next();
      given = undefined;
      return next;
    },
    return: () => iterator.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  };
}
