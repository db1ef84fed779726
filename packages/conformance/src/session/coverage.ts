import type { Coverage } from "../contract/report.ts";

/** What of a description can be seen: `parameters`, `statuses`, `members` and `arms` of answers, `fields` of GraphQL types. */
const coverageKinds = ["parameters", "statuses", "members", "arms", "fields"] as const;

type CoverageKind = (typeof coverageKinds)[number];

/** Collects what of each operation was seen. */
export class Evidence {
  /** Operation and kind → what was announced, and whether it was seen. */
  readonly #noted = new Map<string, Map<string, boolean>>();

  /** Says that the description has something; what was not announced and is seen counts as seen all the same. */
  announce(operation: string, kind: CoverageKind, name: string): void {
    const names = this.#namesOf(operation, kind);
    if (!names.has(name)) names.set(name, false);
  }

  /** Says that something came by, sent or answered. */
  seen(operation: string, kind: CoverageKind, name: string): void {
    this.#namesOf(operation, kind).set(name, true);
  }

  /** Of one operation: kinds of which there is nothing are left out. */
  coverageOf(operation: string): Readonly<Record<string, Coverage>> {
    const entries = coverageKinds.flatMap((kind): readonly (readonly [string, Coverage])[] => {
      const names = [...(this.#noted.get(`${kind} ${operation}`) ?? [])];
      const namesOf = (wasSeen: boolean): readonly string[] =>
        names.flatMap(([name, isSeen]) => (isSeen === wasSeen ? [name] : []));
      return names.length === 0 ? [] : [[kind, { seen: namesOf(true), unseen: namesOf(false) }]];
    });
    return Object.fromEntries(entries);
  }

  #namesOf(operation: string, kind: CoverageKind): Map<string, boolean> {
    const key = `${kind} ${operation}`;
    const names = this.#noted.get(key) ?? new Map<string, boolean>();
    this.#noted.set(key, names);
    return names;
  }
}
