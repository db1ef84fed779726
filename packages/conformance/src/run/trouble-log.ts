import type { AvailabilityLog } from "../capabilities/availability.ts";
import type { InterruptionCause } from "../client/interruption.ts";
import type { PlayedCase } from "./play-case.ts";

/** Records which operations are not worth calling: their responses take long and add nothing. */
export interface TroubleLog {
  note(played: PlayedCase): void;
  /** Returns why an operation is not called any more; `undefined` while it is. */
  reasonToLeave(operation: string): InterruptionCause | undefined;
  /** Resets timeouts: a target may be faster after a restart. */
  forgetLateness(): void;
}

/** Number of responses that report an operation as missing before it is considered missing. */
const absencesBeforeBelief = 2;
/** Number of timeouts before an operation is not called any more. */
const latenessBeforeBelief = 2;
/** Number of responses without an end, or that only ask to retry later, before an operation is not called any more. */
const hopelessnessBeforeBelief = 2;

export function createTroubleLog(availability: AvailabilityLog): TroubleLog {
  const late = new Map<string, number>();
  const endless = new Map<string, number>();
  const busy = new Map<string, number>();
  return {
    note: ({ interruption, exchanges, planned: { operation } }) => {
      if (interruption?.kind === "no-response" && interruption.trouble.kind === "timeout") count(late, operation);
      if (interruption?.kind === "too-large") count(endless, operation);
      if (interruption?.kind === "busy" && exchanges.length > 0) count(busy, operation);
    },
    reasonToLeave: (operation) => {
      const absence = availability.absenceOf(operation, absencesBeforeBelief);
      if (absence !== undefined) return { kind: "skipped", text: absence };
      const lateTimes = late.get(operation) ?? 0;
      if (lateTimes >= latenessBeforeBelief)
        return { kind: "skipped", text: `the operation did not respond in time ${lateTimes} times (--timeout)` };
      const endlessTimes = endless.get(operation) ?? 0;
      if (endlessTimes >= hopelessnessBeforeBelief)
        return {
          kind: "skipped",
          text: `the operation's responses exceeded the limit of the run ${endlessTimes} times`,
        };
      const isBusy = (busy.get(operation) ?? 0) >= hopelessnessBeforeBelief;
      return isBusy
        ? { kind: "busy", text: "the target reported each time that it is too busy for the operation" }
        : undefined;
    },
    forgetLateness: () => {
      late.clear();
    },
  };
}

function count(counts: Map<string, number>, operation: string): void {
  counts.set(operation, (counts.get(operation) ?? 0) + 1);
}
