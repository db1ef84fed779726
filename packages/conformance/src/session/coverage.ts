import type { Coverage } from "../contract/report.ts";

/**
 * Kinds of elements in a description that can be covered: `parameters`, `statuses`, `members` and `arms` of responses, `fields` of GraphQL
 * types.
 */
const coverageKinds = ["parameters", "statuses", "members", "arms", "fields"] as const;

type CoverageKind = (typeof coverageKinds)[number];

/** Collects the coverage of each operation. */
export class Evidence {
  /** Operation and kind → announced elements, and whether each was seen. */
  readonly #noted = new Map<string, Map<string, boolean>>();

  /** Announces an element of the description; an element that is seen without being announced counts as well. */
  announce(operation: string, kind: CoverageKind, name: string): void {
    const names = this.#namesOf(operation, kind);
    if (!names.has(name)) names.set(name, false);
  }

  /** Records that an element was sent or received. */
  seen(operation: string, kind: CoverageKind, name: string): void {
    this.#namesOf(operation, kind).set(name, true);
  }

  /** Returns the coverage of one operation, without empty kinds. */
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
