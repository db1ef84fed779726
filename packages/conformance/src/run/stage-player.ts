import { counted } from "@nodewright/terminal-text";
import type { InterruptionCause } from "../client/interruption.ts";
import { type PlannedCase, protocolOperation, type Stage } from "../contract/planned-case.ts";
import { refusalOfCase } from "../safety/safety.ts";
import type { CaseBook } from "./case-book.ts";
import { prerequisiteCalls } from "./limits.ts";
import { playCase, unplayed } from "./play-case.ts";
import type { RunTools } from "./run-tools.ts";

const usualConcurrency = 4;

/** Plays the stages of a run in sequence, within the calls of each operation. */
export class StagePlayer {
  readonly #tools: RunTools;
  readonly #book: CaseBook;
  #dropped: readonly PlannedCase[] = [];
  #planned = 0;

  constructor(tools: RunTools, book: CaseBook) {
    this.#tools = tools;
    this.#book = book;
  }

  /** Plans the cases of a stage; an exception of our own code loses only the stage. */
  plan({ name, plan }: Stage): readonly PlannedCase[] {
    try {
      return plan();
    } catch (reason) {
      this.#tools.notices.push(`The cases of the stage "${name}" could not be planned: ${String(reason)}`);
      return [];
    }
  }

  async play({ name, share }: Stage, cases: readonly PlannedCase[]): Promise<void> {
    const { selection, observer, live } = this.#tools;
    const wanted = this.#takeWanted(cases);
    this.#planned += wanted.filter((planned) => selection.isSelected(planned)).length;
    observer.onStage?.(name, this.#planned);
    const dropped = await live.pauseWhile(() => this.#playAll(wanted, (operation) => this.#callsOf(operation, share)));
    this.#dropped = [...this.#dropped, ...dropped.filter((planned) => selection.isSelected(planned))];
  }

  /** Plays the cases that exceeded the shares of their stages, as far as calls are left. */
  async playDropped(): Promise<void> {
    const { limits, budget } = this.#tools;
    // A later stage may have planned the same case.
    const dropped = new Map(this.#dropped.map((planned) => [planned.id, planned]));
    let left: readonly PlannedCase[] = [...dropped.values()].filter(({ id }) => !this.#book.isSeen(id));
    let spare = 0;
    // Unused calls of small operations go to those with more cases, twice: the first time may leave some unused again.
    for (const isSpread of [false, true, true]) {
      if (isSpread) spare += limits.spareCalls(countOperations(left), budget.requests);
      const extra = spare;
      left = await this.#playAll(left, (operation) => this.#callsOf(operation, 1, extra));
    }
    this.#dropped = left;
  }

  /** Reports omitted cases, after the last call. */
  noteDropped(): void {
    const { budget, notices } = this.#tools;
    const cases = this.#dropped;
    if (cases.length === 0) return;
    const calls = cases.map(({ operation }) => budget.callsOf(operation));
    const [fewest, most] = [Math.min(...calls), Math.max(...calls)];
    const operations = countOperations(cases);
    const groups = [...Map.groupBy(cases, ({ group }) => group)].map(([group, own]) => `${own.length} ${group}`);
    notices.push(
      `Not played: ${counted(cases.length, "case")} of ${counted(operations, "operation")} (${groups.join(", ")}), called ${fewest === most ? most : `${fewest} to ${most}`} times already; --max-calls allows more.`,
    );
  }

  /** Reports cases that are not played, with the reason. */
  leave(cases: readonly PlannedCase[], reason: string): void {
    for (const planned of this.#takeWanted(cases)) {
      if (this.#tools.selection.isSelected(planned))
        this.#book.take(unplayed(planned, { kind: "ended", text: reason }));
    }
  }

  /**
   * Plays cases concurrently, but those of one operation in sequence: a target may execute only one such request at a time. Returns the
   * cases that exceeded the calls of their operation.
   */
  async #playAll(
    cases: readonly PlannedCase[],
    callsOf: (operation: string) => number,
  ): Promise<readonly PlannedCase[]> {
    const { budget, presence, options } = this.#tools;
    const dropped: PlannedCase[] = [];
    const queue = Map.groupBy(cases, ({ operation }) => operation).values();
    const work = async (): Promise<void> => {
      for (const own of queue) {
        for (const planned of own) {
          const { operation, requests, usualRequests = requests } = planned;
          const reason = this.#reasonToLeave(operation);
          if (reason !== undefined) this.#book.take(unplayed(planned, reason));
          else if (usualRequests > 0 && budget.callsOf(operation) + usualRequests > callsOf(operation))
            dropped.push(planned);
          else {
            this.#book.take(await playCase(planned, this.#tools));
            await presence.settle();
          }
        }
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? usualConcurrency) }, work));
    return dropped;
  }

  #reasonToLeave(operation: string): InterruptionCause | undefined {
    const { troubles, budget } = this.#tools;
    const ended = budget.endedBecause();
    return troubles.reasonToLeave(operation) ?? (ended === undefined ? undefined : { kind: "ended", text: ended });
  }

  /** Returns cases without unsafe ones, which are recorded, those that are not selected, and duplicate ids. */
  #takeWanted(cases: readonly PlannedCase[]): readonly PlannedCase[] {
    const { selection, safety, options } = this.#tools;
    const calls = new Map<string, number>();
    const ids = new Set<string>();
    return cases.filter((planned) => {
      if (this.#book.isSeen(planned.id) || ids.has(planned.id)) return false;
      ids.add(planned.id);
      const isSelected = selection.isSelected(planned);
      const refusal = refusalOfCase(planned, safety, options.allowWrites);
      if (refusal !== undefined) {
        if (isSelected) this.#book.take(unplayed(planned, { kind: "withheld", text: refusal }));
        return false;
      }
      return isSelected || this.#isPrerequisite(planned, calls);
    });
  }

  /**
   * Returns whether a case that is not selected is played for the values that it provides, unless an earlier run did. It never writes,
   * whatever the run allows.
   */
  #isPrerequisite(planned: PlannedCase, calls: Map<string, number>): boolean {
    const { safety, selection, options } = this.#tools;
    const { operation, writes, requests } = planned;
    const sum = calls.get(operation) ?? 0;
    const isPrimed = (options.earlierResults?.length ?? 0) > 0;
    if (writes || !safety.of(operation).isSafe || isPrimed) return false;
    if (!selection.isPrerequisite(planned) || sum >= prerequisiteCalls) return false;
    calls.set(operation, sum + requests);
    return true;
  }

  /** Returns the calls of an operation within a share of them, with those that others left. */
  #callsOf(operation: string, share = 1, spare = 0): number {
    const { callsOf, maximumCalls } = this.#tools.limits;
    const calls = callsOf(operation);
    return operation === protocolOperation ? calls : Math.min(Math.floor(calls * share) + spare, maximumCalls);
  }
}

function countOperations(cases: readonly PlannedCase[]): number {
  return new Set(cases.map(({ operation }) => operation)).size;
}
