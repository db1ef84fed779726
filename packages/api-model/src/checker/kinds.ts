import type { TypeNode } from "../model/type-node.ts";
import { kindOf } from "./checker.ts";

/** Kinds of JSON values. */
export type KindName = "null" | "boolean" | "number" | "string" | "list" | "record";

/** Returns the kinds of a type's values; undefined where it allows any. */
export function kindsOf(
  type: TypeNode,
  resolve: (target: string) => TypeNode | undefined,
  depth = 0,
): ReadonlySet<KindName> | undefined {
  if (depth > 20) return undefined;
  switch (type.kind) {
    case "null":
    case "boolean":
      return new Set([type.kind]);
    case "bytes":
      return new Set(["string"]);
    case "string":
    case "number":
    case "list":
    case "record":
      return type.isKindImplied === true ? undefined : new Set([type.kind]);
    case "enumeration":
      return new Set(type.values.map((value) => kindOf(value) as KindName));
    case "never":
      return new Set();
    case "union":
      return unionOf(type.members.map((member) => kindsOf(member, resolve, depth + 1)));
    case "intersection":
      return intersectionOf(type.members.map((member) => kindsOf(member, resolve, depth + 1)));
    case "conditional":
      return unionOf([type.consequence, type.alternative].map((member) => kindsOf(member, resolve, depth + 1)));
    case "unevaluated":
      return kindsOf(type.base, resolve, depth + 1);
    case "reference": {
      const target = resolve(type.target);
      return target && kindsOf(target, resolve, depth + 1);
    }
    case "any":
    case "not":
      return undefined;
  }
}

type Kinds = ReadonlySet<KindName> | undefined;

function unionOf(parts: readonly Kinds[]): Kinds {
  const all = new Set<KindName>();
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const kind of part) all.add(kind);
  }
  return all;
}

function intersectionOf(parts: readonly Kinds[]): Kinds {
  const known = parts.filter((part) => part !== undefined);
  const [first, ...others] = known;
  return first && new Set([...first].filter((kind) => others.every((other) => other.has(kind))));
}

const kindTexts: Readonly<Record<KindName, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  list: "an array",
  record: "an object",
  null: "null",
};

/** Returns "must be a string, a number or null". */
export function kindsText(kinds: ReadonlySet<KindName>): string {
  const texts = (Object.keys(kindTexts) as KindName[]).filter((kind) => kinds.has(kind)).map((kind) => kindTexts[kind]);
  const last = texts.pop();
  if (last === undefined) return "must not be there: no value is allowed";
  return `must be ${texts.length === 0 ? last : `${texts.join(", ")} or ${last}`}`;
}
