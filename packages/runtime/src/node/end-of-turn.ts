/** Maximum milliseconds that a response may wait for those of other requests. */
const maximumWait = 1;

interface Turn {
  readonly end: Promise<void>;
  readonly startedAt: number;
  resolve(): void;
}

let current: Turn | undefined;

/**
 * Returns a promise that is fulfilled when the event loop has handled the requests that it found waiting, or has spent a millisecond on
 * them.
 *
 * Responses that are written then are sent directly after each other. Written one by one, with the work of the next request between them,
 * each wakes a client's process that has fallen asleep meanwhile, which costs the server more than the response to a small request. One
 * promise serves all of a turn of the event loop.
 */
export function endOfTurn(): Promise<void> {
  current ??= beginTurn();
  const { end, startedAt } = current;
  if (performance.now() - startedAt > maximumWait) finish(current);
  return end;
}

function beginTurn(): Turn {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const turn: Turn = { end, startedAt: performance.now(), resolve };
  setImmediate(finish, turn);
  return turn;
}

function finish(turn: Turn): void {
  if (current === turn) current = undefined;
  turn.resolve();
}
