import { plainName } from "../compare/volatile-names.ts";
import type { Parameter } from "./list-roles.ts";

/** Names of numbers that say how long a call may wait for something to happen, in whatever unit. */
const waitingName = /^(?:max(?:imum)?)?(?:timeout|wait)(?:time|in)?(?:ms|millis|milliseconds|seconds)?$/;

/** Whether a parameter says how long a call may wait for something to happen: left out or 0, for as long as the server lets it. */
export function isWaiting({ name, type }: Parameter): boolean {
  return waitingName.test(plainName(name)) && type.kind === "number";
}
