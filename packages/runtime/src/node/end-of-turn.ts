let current: Promise<void> | undefined;

/**
 * Fulfilled when the event loop has gone through the requests that it found waiting.
 *
 * Answers that are written then leave one directly after the other. Written one by one, with the work of the next request
 * between them, each wakes a caller's process that has fallen asleep meanwhile, which costs the server more than the answer of a
 * small request. One promise serves all of a turn.
 */
export function endOfTurn(): Promise<void> {
  current ??= new Promise((resolve) => {
    setImmediate(() => {
      current = undefined;
      resolve();
    });
  });
  return current;
}
