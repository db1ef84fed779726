import type { MarkFacts } from "@nodewright/runtime";
import type { RunOptions } from "./options.ts";
import type { CaseGroup, ConformanceCase } from "./suite.ts";

/** True when the run plays the operation. */
export function isPlayed(name: string, { only }: RunOptions): boolean {
  return only === undefined || only.includes(name);
}

/** True when the operation is off by default and nobody has said that it is on for this key. */
export function isOff(name: string, marks: MarkFacts, { enabled }: RunOptions): boolean {
  return (marks.disabledByDefault || marks.nodeControl) && enabled?.includes(name) !== true;
}

/** An operation that changes something is asked for what its document shows, nothing else. */
export function isAllowed(group: CaseGroup, writes: boolean): boolean {
  return !writes || group !== "parameter";
}

/** True when a case would change something and the run is not allowed to. Documented failures change nothing. */
export function isWithheld(group: CaseGroup, writes: boolean, { allowWrites }: RunOptions): boolean {
  return writes && group === "example" && allowWrites !== true;
}

/** A request that is to be refused before it is looked at; should it not be, one that fails does no harm. */
export function sampleCase(cases: readonly ConformanceCase[], writes: boolean): ConformanceCase | undefined {
  return (writes ? cases.find(({ group }) => group === "failure") : undefined) ?? cases[0];
}

/** True when an answer "not implemented" of the operation is no failure. */
export function mayBeMissing(name: string, options: RunOptions): boolean {
  return options.mayBeMissing?.includes(name) === true;
}
