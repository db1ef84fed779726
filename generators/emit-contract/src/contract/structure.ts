import type { TypeNode } from "@nodewright/model";

/** Structures of types: the assertions of a type, independent of its name and location. Equal numbers are equal structures. */
export interface Structures {
  /** Returns undefined for a type that was not passed in, directly or as a part. */
  find(type: TypeNode): Structure | undefined;
}

export interface Structure {
  readonly id: number;
  /** Number of type nodes in it, including itself. */
  readonly weight: number;
  /** Number of its occurrences in the types that were passed in. */
  readonly places: number;
}

/** Members of nodes and fields that do not constrain values. */
const silentMembers: ReadonlySet<string> = new Set([
  "source",
  "documentation",
  "default",
  "defaultSource",
  "access",
  "arguments",
]);

/** Remembered structures: three lists, by `Structure.id`. */
export interface SettledStructures {
  readonly keys: readonly string[];
  readonly weights: readonly number[];
  readonly places: readonly number[];
}

/** Finds the structures of types and of all their parts, in time linear to their size; settled structures keep their numbers. */
export function findStructures(types: Iterable<TypeNode>, settled?: SettledStructures): StructureTable {
  const table = new StructureTable(settled);
  for (const type of types) table.collect(type);
  return table;
}

interface CountedStructure extends Structure {
  places: number;
}

/** Structures that are extended with each type. */
export class StructureTable implements Structures {
  readonly #byKey = new Map<string, CountedStructure>();
  readonly #byType = new Map<TypeNode, CountedStructure>();

  constructor({ keys, weights, places }: SettledStructures = { keys: [], weights: [], places: [] }) {
    for (const [id, key] of keys.entries())
      this.#byKey.set(key, { id, weight: weights[id] ?? 1, places: places[id] ?? 0 });
  }

  get settled(): SettledStructures {
    const structures = [...this.#byKey.values()];
    return {
      keys: [...this.#byKey.keys()],
      weights: structures.map(({ weight }) => weight),
      places: structures.map(({ places }) => places),
    };
  }

  find(type: TypeNode): Structure | undefined {
    return this.#byType.get(type);
  }

  collect(type: TypeNode): CountedStructure {
    // The parts of a known node are counted already, wherever it occurs.
    const met = this.#byType.get(type);
    if (met !== undefined) {
      met.places += 1;
      return met;
    }
    const parts: Weight = { nodes: 1 };
    const key = this.#keyOfMembers(type, parts);
    const known = this.#byKey.get(key);
    const structure = known ?? { id: this.#byKey.size, weight: parts.nodes, places: 0 };
    if (known === undefined) this.#byKey.set(key, structure);
    structure.places += 1;
    this.#byType.set(type, structure);
    return structure;
  }

  /** Returns the key of a node's members. Inner types are represented by their numbers, so that a key is as long as its own node. */
  #keyOfMembers(value: object, weight: Weight): string {
    let key = "";
    // Not by entries: a document has hundreds of thousands of nodes, and creating their lists of entries would be most of the work.
    for (const name of Object.keys(value)) {
      if (silentMembers.has(name)) continue;
      const member: unknown = value[name as keyof typeof value];
      if (member !== undefined) key += `${name}:${this.#keyOf(name, member, weight)},`;
    }
    return key;
  }

  #keyOf(name: string, value: unknown, weight: Weight): string {
    if (typeof value !== "object" || value === null) {
      return typeof value === "string" ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
    }
    // JSON values of the document: their members are data, not parts of a node.
    if (name === "values" || name === "mapping") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map((item) => this.#keyOf("", item, weight)).join()}]`;
    if (!isTypeNode(value)) return `{${this.#keyOfMembers(value, weight)}}`;
    const structure = this.collect(value);
    weight.nodes += structure.weight;
    return `#${structure.id}`;
  }
}

interface Weight {
  nodes: number;
}

/** Returns whether an object is a type node: everything in a model that has a kind is one. */
function isTypeNode(value: object): value is TypeNode {
  return "kind" in value;
}
