import type { Coverage } from "../contract/report.ts";

/** What of a description can be seen: `parameters`, `statuses`, `members` and `arms` of answers, `fields` of GraphQL types. */
const coverageKinds = ["parameters", "statuses", "members", "arms", "fields"] as const;

type CoverageKind = (typeof coverageKinds)[number];

/** Collects what of each operation was seen. */
export interface Evidence {
  /** Says that the description has something; what was not announced and is seen counts as seen all the same. */
  announce(operation: string, kind: CoverageKind, name: string): void;
  /** Says that something came by, sent or answered. */
  seen(operation: string, kind: CoverageKind, name: string): void;
  /** Of one operation: kinds of which there is nothing are left out. */
  coverageOf(operation: string): Readonly<Record<string, Coverage>>;
}

/** Creates a collector that knows of nothing yet. */
export function createEvidence(): Evidence {
  const noted = new Map<string, Map<CoverageKind, Map<string, boolean>>>();
  const namesOf = (operation: string, kind: CoverageKind): Map<string, boolean> => {
    const kinds = entryOf(noted, operation, () => new Map<CoverageKind, Map<string, boolean>>());
    return entryOf(kinds, kind, () => new Map<string, boolean>());
  };
  return {
    announce: (operation, kind, name) => {
      const names = namesOf(operation, kind);
      if (!names.has(name)) names.set(name, false);
    },
    seen: (operation, kind, name) => {
      namesOf(operation, kind).set(name, true);
    },
    coverageOf: (operation) => {
      const kinds = noted.get(operation);
      const present = coverageKinds.filter((kind) => kinds?.has(kind));
      return Object.fromEntries(present.map((kind) => [kind, split(namesOf(operation, kind))]));
    },
  };
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

function split(names: ReadonlyMap<string, boolean>): Coverage {
  const seen: string[] = [];
  const unseen: string[] = [];
  for (const [name, isSeen] of names) (isSeen ? seen : unseen).push(name);
  return { seen, unseen };
}
