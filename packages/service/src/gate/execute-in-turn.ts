import type { FastifyReply } from "fastify";
import type { CostGate, Leave } from "./cost-gate.ts";

/** What is about to be done for a caller. */
export interface Turn {
  readonly cost: number;
  readonly reply: FastifyReply;
  /** Gives what is aborted when nobody waits for it any more. */
  getSignal(): AbortSignal;
}

/**
 * Does something when the gate lets it in. What it takes of the gate is given back when it is done and its answer has gone out, or
 * nobody takes it: until then the answer lies in memory.
 */
export function executeInTurn<Result>(
  gate: CostGate,
  run: () => Result | Promise<Result>,
  { cost, reply, getSignal }: Turn,
): Result | Promise<Result> {
  const entered = gate.enter(cost, getSignal);
  if (entered instanceof Promise) return entered.then((leave) => runAndLeave(run, leave, reply));
  return runAndLeave(run, entered, reply);
}

function runAndLeave<Result>(
  run: () => Result | Promise<Result>,
  leave: Leave | undefined,
  { raw: response }: FastifyReply,
): Result | Promise<Result> {
  if (leave === undefined) return run();
  const leaveWhenSent = (): void => {
    if (response.closed) leave();
    else response.once("close", leave);
  };
  let result: Result | Promise<Result> | undefined;
  try {
    result = run();
  } finally {
    if (!(result instanceof Promise)) leaveWhenSent();
  }
  return result instanceof Promise ? result.finally(leaveWhenSent) : result;
}
