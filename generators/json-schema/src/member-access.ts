import type { Access } from "@nodewright/api-model";
import type { Located } from "@nodewright/source";
import { placeKey } from "./schema-resources.ts";

/** Which way data goes: to the API, or from it. */
export type Direction = "request" | "answer";

/** What the schemas that hold for one and the same object say of its members, together. */
interface ObjectOutline {
  readonly access: ReadonlyMap<string, "read-only" | "write-only">;
  readonly required: ReadonlySet<string>;
}

const inPlaceKeywords = ["allOf", "anyOf", "oneOf"] as const;

/** Knows which members only one side sets (`readOnly`, `writeOnly`), also where they are described apart from what requires them. */
export class MemberAccess {
  /** The schema that the `$ref` of a schema leads to. */
  readonly #target: (schema: Located) => Located | undefined;
  readonly #outlines = new Map<string, ObjectOutline>();

  constructor(target: (schema: Located) => Located | undefined) {
    this.#target = target;
  }

  /** Who sets a member, as the schema of the member says, or one that it is made of. */
  accessOf(property: Located): Access {
    const own = ownAccess(property);
    return own !== "read-write" || !(property.has("$ref") || property.has("allOf"))
      ? own
      : this.#accessOfParts(property);
  }

  #accessOfParts(property: Located): Access {
    const seen = new Set<string>();
    const pending = [property];
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      const key = placeKey(schema);
      if (seen.has(key)) continue;
      seen.add(key);
      const own = ownAccess(schema);
      if (own !== "read-write") return own;
      pending.push(...(schema.member("allOf")?.items ?? []));
      const target = schema.has("$ref") ? this.#target(schema) : undefined;
      if (target !== undefined) pending.push(target);
    }
    return "read-write";
  }

  /** Names of the members that an object may lack in a direction, whatever `required` lists. */
  relaxedNames(schema: Located, direction: Direction): readonly string[] {
    const other = direction === "request" ? "read-only" : "write-only";
    const { access } = this.#outline(schema, new Set());
    return [...access].filter(([, one]) => one === other).map(([name]) => name);
  }

  /** Whether requests and answers need different types: a member that one side sets is required. */
  isSplit(schema: Located): boolean {
    const { access, required } = this.#outline(schema, new Set());
    return [...access.keys()].some((name) => required.has(name));
  }

  #outline(schema: Located, seen: Set<string>): ObjectOutline {
    const key = placeKey(schema);
    const known = this.#outlines.get(key);
    if (known !== undefined) return known;
    const access = new Map<string, "read-only" | "write-only">();
    const required = new Set<string>();
    if (seen.has(key)) return { access, required };
    const isOutermost = seen.size === 0;
    seen.add(key);
    for (const [name, property] of schema.member("properties")?.members ?? []) {
      const one = this.accessOf(property);
      if (one !== "read-write") access.set(name, one);
    }
    for (const { string } of schema.member("required")?.items ?? []) if (string !== undefined) required.add(string);
    for (const part of this.#partsOf(schema)) {
      const outline = this.#outline(part, seen);
      for (const [name, one] of outline.access) access.set(name, one);
      for (const name of outline.required) required.add(name);
    }
    // Inside a circle the answer is only partial, and kept only for the schema that was asked for.
    if (isOutermost) this.#outlines.set(key, { access, required });
    return { access, required };
  }

  #partsOf(schema: Located): readonly Located[] {
    const target = schema.has("$ref") ? this.#target(schema) : undefined;
    const parts = inPlaceKeywords.flatMap((keyword) => schema.member(keyword)?.items ?? []);
    return target === undefined ? parts : [target, ...parts];
  }
}

function ownAccess(schema: Located): Access {
  if (schema.member("readOnly")?.boolean === true) return "read-only";
  return schema.member("writeOnly")?.boolean === true ? "write-only" : "read-write";
}
