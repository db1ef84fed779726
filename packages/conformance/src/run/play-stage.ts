import type { PlannedCase } from "../contract/planned-case.ts";
import type { InterruptionCause } from "../client/interruption.ts";
import type { Budget } from "../client/budget.ts";
import { type CaseTools, playCase } from "./play-case.ts";
import type { PlayedCase } from "./played-case.ts";

export interface StageTools extends CaseTools {
  readonly budget: Budget;
  readonly concurrency: number;
  /** Calls of an operation that this stage may bring it to. */
  readonly callsOf: (operation: string) => number;
  /** Why a case need not be played; undefined when it has to be. */
  readonly skipOf: (planned: PlannedCase) => InterruptionCause | undefined;
  readonly onPlayed: (played: PlayedCase) => void;
  /** Resolves when the target answers, or is given up. */
  whenAnswering(): Promise<void>;
}

/**
 * Plays cases side by side, those of one operation one after the other: a target may carry out no more than one such request at a
 * time. Returns what did not fit into the calls of its operation.
 */
export async function playStage(cases: readonly PlannedCase[], tools: StageTools): Promise<readonly PlannedCase[]> {
  const { budget, callsOf, skipOf, onPlayed } = tools;
  const dropped: PlannedCase[] = [];
  const queue = Map.groupBy(cases, ({ operation }) => operation).values();
  const playAll = async (own: readonly PlannedCase[]): Promise<void> => {
    for (const planned of own) {
      const reason = skipOf(planned);
      if (reason !== undefined) {
        onPlayed(unplayed(planned, reason));
        continue;
      }
      const ended = budget.endedBecause();
      if (ended !== undefined) {
        onPlayed(unplayed(planned, { kind: "ended", text: ended }));
        continue;
      }
      const { requests, usualRequests = requests } = planned;
      if (usualRequests > 0 && budget.callsOf(planned.operation) + usualRequests > callsOf(planned.operation)) {
        dropped.push(planned);
        continue;
      }
      onPlayed(await playCase(planned, tools));
      await tools.whenAnswering();
    }
  };
  const work = async (): Promise<void> => {
    for (const own of queue) await playAll(own);
  };
  await Promise.all(Array.from({ length: Math.max(1, tools.concurrency) }, work));
  return dropped;
}

/** A case that ends before it begins. */
export function unplayed(planned: PlannedCase, interruption: PlayedCase["interruption"] & {}): PlayedCase {
  return { planned, findings: [], exchanges: [], milliseconds: 0, interruption };
}
