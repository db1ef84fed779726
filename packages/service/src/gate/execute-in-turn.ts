import type { CostGate, Leave } from "./cost-gate.ts";

/** Does something that costs so much when the gate lets it in, and makes room when it is done. `getSignal` as for `CostGate.enter`. */
export function executeInTurn<Result>(
  gate: CostGate,
  run: () => Result | Promise<Result>,
  { cost, getSignal }: { readonly cost: number; getSignal(): AbortSignal },
): Result | Promise<Result> {
  const entered = gate.enter(cost, getSignal);
  if (entered instanceof Promise) return entered.then((leave) => runAndLeave(run, leave));
  return runAndLeave(run, entered);
}

function runAndLeave<Result>(run: () => Result | Promise<Result>, leave: Leave | undefined): Result | Promise<Result> {
  if (leave === undefined) return run();
  let result: Result | Promise<Result> | undefined;
  try {
    result = run();
  } finally {
    if (!(result instanceof Promise)) leave();
  }
  return result instanceof Promise ? result.finally(leave) : result;
}
