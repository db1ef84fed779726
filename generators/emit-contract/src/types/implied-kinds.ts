import type { JsonValue, TypeNode } from "@nodewright/model";

type ValueKind = "null" | "boolean" | "string" | "number" | "list" | "record";

/**
 * Returns the members of an intersection as TypeScript shows them. Members that constrain only values of their own kind are a union when
 * they are of several kinds, because no value has two, and are left out where other members allow more kinds than theirs.
 */
export function shownTogether(
  members: readonly TypeNode[],
  resolve: (target: string) => TypeNode,
): readonly TypeNode[] {
  const implied = members.filter(isImplied);
  if (implied.length === 0) return members;
  const others = members.filter((member) => !isImplied(member));
  const allowed = others.map((member) => kindsOf(member, resolve)).find((kinds) => kinds !== undefined);
  if (allowed !== undefined) {
    const [only, ...more] = allowed;
    return members.filter((member) => !isImplied(member) || (more.length === 0 && member.kind === only));
  }
  const [first] = implied;
  const kinds = new Set(implied.map(({ kind }) => kind));
  if (first === undefined || kinds.size === 1) return members;
  const byKind = [...kinds].map((kind): TypeNode => {
    const ofKind = implied.filter((member) => member.kind === kind);
    const [only, ...more] = ofKind;
    return only !== undefined && more.length === 0
      ? only
      : { kind: "intersection", members: ofKind, source: first.source };
  });
  return [...others, { kind: "union", mode: "any-of", members: byKind, source: first.source }];
}

function isImplied(type: TypeNode): boolean {
  return "isKindImplied" in type && type.isKindImplied === true;
}

/** Returns the kinds of the values that match a type; undefined where any kind is allowed. */
function kindsOf(type: TypeNode, resolve: (target: string) => TypeNode): ReadonlySet<ValueKind> | undefined {
  switch (type.kind) {
    case "null":
    case "boolean":
    case "string":
    case "number":
    case "list":
    case "record":
      return isImplied(type) ? undefined : new Set([type.kind]);
    case "enumeration":
      return new Set(type.values.map(kindOfValue));
    case "union": {
      const kinds = type.members.map((member) => kindsOf(member, resolve));
      return kinds.includes(undefined) ? undefined : new Set(kinds.flatMap((one) => [...(one ?? [])]));
    }
    case "reference": {
      // One step is enough: most declarations have a kind, and the others are only shown less precisely.
      const target = resolve(type.target);
      return target.kind === "reference" || target.kind === "union" ? undefined : kindsOf(target, resolve);
    }
    default:
      return undefined;
  }
}

function kindOfValue(value: JsonValue): ValueKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "record";
}
