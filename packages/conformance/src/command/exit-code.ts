import type { Report } from "../contract/report.ts";

/** 0 conforms, 1 does not, 2 the command line or the document is not right, 3 nothing can be said. */
export type ConformExitCode = 0 | 1 | 2 | 3;

/** What a run ends with. One that was ended before its time says nothing of what it did not come to. */
export function exitCodeOf({ outcome }: Report): ConformExitCode {
  if (outcome === "differs") return 1;
  return outcome === "unjudged" ? 3 : 0;
}
