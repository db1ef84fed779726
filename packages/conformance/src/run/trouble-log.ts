import type { AvailabilityLog } from "../capabilities/availability.ts";
import type { InterruptionCause } from "../client/interruption.ts";
import type { PlayedCase } from "./play-case.ts";

/** Learns which operations are not worth asking: what they answer takes long, and says nothing new. */
export interface TroubleLog {
  note(played: PlayedCase): void;
  /** Why an operation is left alone; undefined while it is not. */
  reasonToLeave(operation: string): InterruptionCause | undefined;
  /** A target that comes back may be quicker than it was before it went. */
  forgetLateness(): void;
}

/** Answers that say that an operation is not offered before it is believed. */
const absencesBeforeBelief = 2;
/** Answers that did not come in time before an operation is left alone. */
const latenessBeforeBelief = 2;
/** Answers of an operation that did not end, or only said to wait, before it is left alone. */
const hopelessnessBeforeBelief = 2;

export function createTroubleLog(availability: AvailabilityLog): TroubleLog {
  const late = new Map<string, number>();
  const endless = new Map<string, number>();
  const busy = new Map<string, number>();
  return {
    note: ({ interruption, exchanges, planned: { operation } }) => {
      if (interruption?.kind === "no-answer" && interruption.trouble.kind === "timeout") count(late, operation);
      if (interruption?.kind === "too-large") count(endless, operation);
      if (interruption?.kind === "busy" && exchanges.length > 0) count(busy, operation);
    },
    reasonToLeave: (operation) => {
      const absence = availability.absenceOf(operation, absencesBeforeBelief);
      if (absence !== undefined) return { kind: "skipped", text: absence };
      const lateTimes = late.get(operation) ?? 0;
      if (lateTimes >= latenessBeforeBelief)
        return { kind: "skipped", text: `the operation did not answer in time ${lateTimes} times (--timeout)` };
      const endlessTimes = endless.get(operation) ?? 0;
      if (endlessTimes >= hopelessnessBeforeBelief)
        return {
          kind: "skipped",
          text: `the operation's answers were longer than the run reads ${endlessTimes} times`,
        };
      const isBusy = (busy.get(operation) ?? 0) >= hopelessnessBeforeBelief;
      return isBusy
        ? { kind: "busy", text: "the target said each time that it is too busy for the operation" }
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
