import { Readable } from "node:stream";

/** How a body of items is sent. */
export interface StreamBodyOptions {
  /** One item as it is sent. Throws for an item that can't be. */
  write(item: unknown): string | Uint8Array;
  /** Told once when the caller takes the first of it: headers may be sent before there is an item. */
  onStart(): void;
  /** Told of what makes the body end before its time. */
  onError(error: unknown): void;
}

/**
 * A body whose items are asked for as the caller takes them: the next is not wanted before the last has gone. When the caller
 * goes away, the items' `return` is called at once, even while one is awaited. What fails ends the body before its time, so
 * that a caller can't take it for whole.
 */
export function createStreamBody(items: AsyncIterator<unknown>, options: StreamBodyOptions): Readable {
  const state = { isStarted: false, isAwaited: false, isDone: false };
  const finish = (): void => {
    if (state.isDone) return;
    state.isDone = true;
    // The caller has gone; nobody but the log is left to hear of what goes wrong while things are put away.
    void Promise.resolve(items.return?.()).catch(options.onError);
  };
  const pull = async (): Promise<void> => {
    state.isAwaited = true;
    try {
      while (await pushNext(items, body, options, state)) {
        // As long as the caller takes more.
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

/** Small, because an item that waits here is late. */
const waitingBytes = 16_384;

/** Pushes one item; false when no more are wanted now, or there are none. */
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

/** Whether a value is one that is iterated over asynchronously. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/**
 * The iterator of a handler's answer once it is known not to fail at once: what its first step throws before it waits for
 * anything is thrown here, so that it can still be answered with a status of its own.
 */
export async function startIterator(items: AsyncIterable<unknown>): Promise<AsyncIterator<unknown>> {
  const iterator = items[Symbol.asyncIterator]();
  const first = iterator.next();
  const { promise: soon, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await Promise.race([first, soon]);
  let given: Promise<IteratorResult<unknown>> | undefined = first;
  // Its failure, if it has one later, is for whoever asks for the item.
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
