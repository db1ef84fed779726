import type { Access, Direction } from "@nodewright/api-model";
import type { SourceValue } from "@nodewright/source";
import { placeKey } from "./schema-resources.ts";

/** Properties and required names that all schemas of one object define together. */
interface ObjectOutline {
  readonly access: ReadonlyMap<string, "read-only" | "write-only">;
  readonly required: ReadonlySet<string>;
}

const inPlaceKeywords = ["allOf", "anyOf", "oneOf"] as const;

/** Access of properties (`readOnly`, `writeOnly`), also where a property is defined in another schema than the one that requires it. */
export class MemberAccess {
  /** Returns the schema that the `$ref` of a schema refers to. */
  readonly #target: (schema: SourceValue) => SourceValue | undefined;
  readonly #outlines = new Map<string, ObjectOutline>();

  constructor(target: (schema: SourceValue) => SourceValue | undefined) {
    this.#target = target;
  }

  /** Returns who sets a property, according to its schema or to one of the schemas that it is composed of. */
  accessOf(property: SourceValue): Access {
    const own = ownAccess(property);
    return own !== "read-write" || !(property.has("$ref") || property.has("allOf"))
      ? own
      : this.#accessOfParts(property);
  }

  #accessOfParts(property: SourceValue): Access {
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

  /** Returns the names of the properties that are optional in a direction, even if `required` lists them. */
  relaxedNames(schema: SourceValue, direction: Direction): readonly string[] {
    const other = direction === "request" ? "read-only" : "write-only";
    const { access } = this.#outline(schema, new Set());
    return [...access].filter(([, one]) => one === other).map(([name]) => name);
  }

  /** Returns whether requests and responses need different types: a required property is set by one side only. */
  isSplit(schema: SourceValue): boolean {
    const { access, required } = this.#outline(schema, new Set());
    return [...access.keys()].some((name) => required.has(name));
  }

  #outline(schema: SourceValue, seen: Set<string>): ObjectOutline {
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
    // Inside a cycle the result is incomplete, so only the outline of the outermost schema is cached.
    if (isOutermost) this.#outlines.set(key, { access, required });
    return { access, required };
  }

  #partsOf(schema: SourceValue): readonly SourceValue[] {
    const target = schema.has("$ref") ? this.#target(schema) : undefined;
    const parts = inPlaceKeywords.flatMap((keyword) => schema.member(keyword)?.items ?? []);
    return target === undefined ? parts : [target, ...parts];
  }
}

function ownAccess(schema: SourceValue): Access {
  if (schema.member("readOnly")?.boolean === true) return "read-only";
  return schema.member("writeOnly")?.boolean === true ? "write-only" : "read-write";
}
