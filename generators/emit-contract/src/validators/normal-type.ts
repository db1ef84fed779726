import type { ApiModel, TypeNode } from "@nodewright/model";
import { kindsOf } from "./value-kind.ts";

/**
 * The same type without members that change nothing: an alternative that takes every value is the whole union, one that takes
 * none is left out, and what no kind of value can match is `never`.
 */
export function normalType(type: TypeNode, model: ApiModel): TypeNode {
  const normal = (inner: TypeNode): TypeNode => normalType(inner, model);
  switch (type.kind) {
    case "union":
      return normalUnion(type, type.members.map(normal));
    case "intersection":
      return normalIntersection(type, type.members.map(normal), model);
    case "enumeration":
      return type.values.length === 0 ? { kind: "never", source: type.source } : type;
    case "list":
      return { ...type, prefix: type.prefix.map(normal), element: normal(type.element) };
    case "record":
      return {
        ...type,
        fields: type.fields.map((field) => ({ ...field, type: normal(field.type) })),
        additional: normal(type.additional),
        patterns: type.patterns.map((pattern) => ({ ...pattern, type: normal(pattern.type) })),
      };
    default:
      return type;
  }
}

function normalUnion(type: Extract<TypeNode, { kind: "union" }>, members: readonly TypeNode[]): TypeNode {
  const possible = members.filter((member) => member.kind !== "never");
  const [only] = possible;
  if (only === undefined) return { kind: "never", source: type.source };
  if (possible.length === 1) return only;
  const takesAll = type.mode === "any-of" && possible.some((member) => member.kind === "any");
  return takesAll ? { kind: "any", source: type.source } : { ...type, members: possible };
}

function normalIntersection(
  type: Extract<TypeNode, { kind: "intersection" }>,
  members: readonly TypeNode[],
  model: ApiModel,
): TypeNode {
  const demanding = members.filter((member) => member.kind !== "any");
  const [only] = demanding;
  if (only === undefined) return { kind: "any", source: type.source };
  if (demanding.length === 1) return only;
  const normal: TypeNode = { ...type, members: demanding };
  return kindsOf(normal, model).size === 0 ? { kind: "never", source: type.source } : normal;
}
