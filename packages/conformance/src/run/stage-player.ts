import { counted } from "../basics/counted.ts";
import { type PlannedCase, protocolOperation, type Stage } from "../contract/planned-case.ts";
import type { RunOptions } from "../contract/options.ts";
import type { RunObserver } from "../contract/run-observer.ts";
import { refusalOfOperation, type Safety } from "../safety/safety.ts";
import type { CaseBook } from "./case-book.ts";
import { prerequisiteCalls, type RunLimits } from "./limits.ts";
import { playStage, type StageTools, unplayed } from "./play-stage.ts";
import type { RecordingLive } from "./recording-live.ts";
import type { Selection } from "./selection.ts";

export interface StagePlayerParts {
  readonly options: RunOptions;
  readonly observer: RunObserver;
  readonly safety: Safety;
  readonly selection: Selection;
  readonly live: RecordingLive;
  readonly book: CaseBook;
  readonly tools: Omit<StageTools, "callsOf">;
  /** True: values were found by an earlier run, so that nothing needs to be played for what it finds out. */
  readonly isPrimed: boolean;
  readonly limits: () => RunLimits;
  readonly onNotice: (notice: string) => void;
}

/** Plays the stages of a run, one after the other, within the calls that each operation has. */
export class StagePlayer {
  readonly #parts: StagePlayerParts;
  #dropped: readonly PlannedCase[] = [];
  #planned = 0;

  constructor(parts: StagePlayerParts) {
    this.#parts = parts;
  }

  /** Cases of a stage; what our own code gets wrong costs no more than the stage. */
  plan({ name, plan }: Stage): readonly PlannedCase[] {
    try {
      return plan();
    } catch (reason) {
      this.#parts.onNotice(`The cases of the stage "${name}" could not be planned: ${String(reason)}`);
      return [];
    }
  }

  async play({ name, share }: Stage, cases: readonly PlannedCase[]): Promise<void> {
    const { selection, observer, live, tools } = this.#parts;
    const wanted = this.#takeWanted(cases);
    this.#planned += wanted.filter((planned) => selection.isSelected(planned)).length;
    observer.onStage?.(name, this.#planned);
    const dropped = await live.holdWhile(() =>
      playStage(wanted, { ...tools, callsOf: (operation) => this.#callsOf(operation, share) }),
    );
    this.#dropped = [...this.#dropped, ...dropped.filter((planned) => selection.isSelected(planned))];
  }

  /** Plays what did not fit into the shares of the stages, as far as calls are left. */
  async playDropped(): Promise<void> {
    const { book, tools, limits, onNotice } = this.#parts;
    // A later stage may have come to the same case on another way.
    const dropped = new Map(this.#dropped.map((planned) => [planned.id, planned]));
    let left: readonly PlannedCase[] = [...dropped.values()].filter(({ id }) => !book.isSeen(id));
    let spare = 0;
    // What small operations leave over is for those that have more to call for, twice: the first time may leave something over again.
    for (const isSpread of [false, true, true]) {
      if (isSpread) spare += limits().spareCalls(countOperations(left), tools.budget.requests);
      const extra = spare;
      left = await playStage(left, { ...tools, callsOf: (operation) => this.#callsOf(operation, 1, extra) });
    }
    if (left.length === 0) return;
    const most = Math.max(...left.map(({ operation }) => this.#callsOf(operation, 1, spare)));
    onNotice(
      `Left out: ${counted(left.length, "case")} of ${counted(countOperations(left), "operation")}, as no operation is called more than ${most} times (--max-calls).`,
    );
  }

  /** Reports cases that are not played, and why. */
  leave(cases: readonly PlannedCase[], reason: string): void {
    for (const planned of this.#takeWanted(cases)) {
      if (this.#parts.selection.isSelected(planned)) this.#end(planned, { kind: "ended", text: reason });
    }
  }

  /** Without those that are not sent, which are noted, those that nobody selected, and ids that were there before. */
  #takeWanted(cases: readonly PlannedCase[]): readonly PlannedCase[] {
    const { selection, book } = this.#parts;
    const calls = new Map<string, number>();
    const ids = new Set<string>();
    return cases.filter((planned) => {
      if (book.isSeen(planned.id) || ids.has(planned.id)) return false;
      ids.add(planned.id);
      const isSelected = selection.isSelected(planned);
      const refusal = this.#refusalOf(planned);
      if (refusal !== undefined) {
        if (isSelected) this.#end(planned, { kind: "withheld", text: refusal });
        return false;
      }
      return isSelected || this.#isPrerequisite(planned, calls);
    });
  }

  /** Whether a case that nobody selected is played for what it finds out. It changes nothing, whatever the run allows. */
  #isPrerequisite(planned: PlannedCase, calls: Map<string, number>): boolean {
    const { safety, selection, isPrimed } = this.#parts;
    const { operation, writes, requests } = planned;
    const sum = calls.get(operation) ?? 0;
    if (writes || !safety.of(operation).isSafe || isPrimed) return false;
    if (!selection.isPrerequisite(planned) || sum >= prerequisiteCalls) return false;
    calls.set(operation, sum + requests);
    return true;
  }

  #refusalOf({ operation, writes }: PlannedCase): string | undefined {
    const { allowWrites } = this.#parts.options;
    const refusal = refusalOfOperation(this.#parts.safety.of(operation), allowWrites);
    return refusal ?? (writes && allowWrites !== true ? "it may change something" : undefined);
  }

  #end(planned: PlannedCase, interruption: Parameters<typeof unplayed>[1]): void {
    this.#parts.tools.onPlayed(unplayed(planned, interruption));
  }

  /** Calls of an operation that are used when `share` of them are, with those that others left over. */
  #callsOf(operation: string, share = 1, spare = 0): number {
    const { callsOf, mostCalls } = this.#parts.limits();
    const calls = callsOf(operation);
    return operation === protocolOperation ? calls : Math.min(Math.floor(calls * share) + spare, mostCalls);
  }
}

function countOperations(cases: readonly PlannedCase[]): number {
  return new Set(cases.map(({ operation }) => operation)).size;
}
