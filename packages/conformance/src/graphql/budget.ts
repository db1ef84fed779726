import type { PlannedCase } from "../contract/planned-case.ts";

/** Requests of a whole run that are aimed at, those of the protocol left out. */
const wholeRun = 165;
/** Of a field of the query type, and of a documented operation, which asks for one thing. */
const ofField = { least: 14, most: 34 };
const ofDocument = { least: 5, most: 20 };

/** Shares out requests among the operations of a suite, so that small documents are looked at closely and large ones at all. */
export class RequestBudget {
  readonly #ofField: number;
  readonly #ofDocument: number;
  readonly #spent = new Map<string, number>();

  constructor(fields: number, documents: number, callsPerOperation: number) {
    const share = wholeRun / Math.max(2 * fields + documents, 1);
    const within = (value: number, { least, most }: typeof ofField): number =>
      Math.min(Math.max(Math.floor(value), least), most, callsPerOperation);
    this.#ofField = within(2 * share, ofField);
    // What a document shows is one question: little is left out of it before it says nothing.
    this.#ofDocument = within(1.15 * share, ofDocument);
  }

  /** The first of a field's cases that fit into `share` of its budget, and into what is left of it. */
  takeOfField(operation: string, cases: readonly PlannedCase[], share: number): readonly PlannedCase[] {
    return this.#take(operation, cases, this.#ofField, share);
  }

  /** The same for a documented operation. */
  takeOfDocument(operation: string, cases: readonly PlannedCase[], share: number): readonly PlannedCase[] {
    return this.#take(operation, cases, this.#ofDocument, share);
  }

  #take(operation: string, cases: readonly PlannedCase[], whole: number, share: number): readonly PlannedCase[] {
    const most = Math.max(1, Math.round(whole * share));
    let used = 0;
    return cases.filter(({ requests }) => {
      const spent = this.#spent.get(operation) ?? 0;
      // Cases that may ask several times mostly need not.
      const usual = Math.ceil(requests / 3);
      if (used + usual > most || spent + usual > whole) return false;
      used += usual;
      this.#spent.set(operation, spent + usual);
      return true;
    });
  }
}
