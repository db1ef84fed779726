import type { PlannedCase } from "../case/planned-case.ts";

/** Requests of a whole run that are aimed at, those of the protocol left out. */
const wholeRun = 215;
const leastOfOperation = 10;
const mostOfOperation = 34;

/** Shares out requests among the operations of a suite, so that small documents are looked at closely and large ones at all. */
export class RequestBudget {
  readonly #ofEach: number;
  readonly #spent = new Map<string, number>();

  constructor(operations: number, callsPerOperation: number) {
    const fair = Math.floor(wholeRun / Math.max(operations, 1));
    this.#ofEach = Math.min(Math.max(fair, leastOfOperation), mostOfOperation, callsPerOperation);
  }

  /** The first of an operation's cases that fit into `share` of its budget, and into what is left of it. */
  take(operation: string, cases: readonly PlannedCase[], share: number): readonly PlannedCase[] {
    const most = Math.max(1, Math.round(this.#ofEach * share));
    let used = 0;
    return cases.filter(({ requests }) => {
      const spent = this.#spent.get(operation) ?? 0;
      if (used + requests > most || spent + requests > this.#ofEach) return false;
      used += requests;
      this.#spent.set(operation, spent + requests);
      return true;
    });
  }
}
