import type { TurnQueue } from "@nodewright/runtime/node";
import type { CostGate, ReleaseCost } from "./cost-gate.ts";

/** Gates in which heavy work waits. */
export interface HeavyGates {
  readonly gate: CostGate;
  readonly queue: TurnQueue;
}

/** Description of work; `getSignal` as for `CostGate.enter`. */
export interface Work {
  readonly cost: number;
  getSignal(): AbortSignal;
}

/**
 * Executes work of a given cost when the gate admits it, in an event loop turn of its own where it is heavy, and releases the capacity when
 * it is done.
 */
export function executeInTurn<Result>(
  { gate, queue }: HeavyGates,
  run: () => Result | Promise<Result>,
  { cost, getSignal }: Work,
): Result | Promise<Result> {
  const entered = gate.enter(cost, getSignal);
  if (entered === undefined) return run();
  if (entered instanceof Promise) return entered.then((leave) => runInTurn(queue, run, leave, getSignal));
  return runInTurn(queue, run, entered, getSignal);
}

function runInTurn<Result>(
  queue: TurnQueue,
  run: () => Result | Promise<Result>,
  leave: ReleaseCost,
  getSignal: () => AbortSignal,
): Result | Promise<Result> {
  const turn = queue.next();
  if (turn === undefined) return runAndLeave(run, leave);
  const runUnlessGone = (): Result | Promise<Result> => {
    getSignal().throwIfAborted();
    return run();
  };
  return turn.then(() => runAndLeave(runUnlessGone, leave));
}

function runAndLeave<Result>(run: () => Result | Promise<Result>, leave: ReleaseCost): Result | Promise<Result> {
  let result: Result | Promise<Result> | undefined;
  try {
    result = run();
  } finally {
    if (!(result instanceof Promise)) leave();
  }
  return result instanceof Promise ? result.finally(leave) : result;
}
