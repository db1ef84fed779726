import { additionalOf, type ApiModel, type TypeNode } from "@nodewright/model";
import { declarationNode } from "../contract/contract-types.ts";

/**
 * The members and elements that a type evaluates in every value (JSON Schema 2020-12, sections 10.3 and 11): `unevaluatedProperties` and
 * `unevaluatedItems` do not apply to them.
 */
export interface Evaluation {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
  readonly allMembers: boolean;
  /** Number of evaluated elements from the first on. */
  readonly elements: number;
}

const nothing: Evaluation = { names: new Set(), patterns: [], allMembers: false, elements: 0 };

/**
 * Returns the parts that a type evaluates; undefined where they depend on the value: on the alternative that it matches, or on the elements
 * that match `contains`.
 */
export function evaluationOf(type: TypeNode, model: ApiModel): Evaluation | undefined {
  return evaluation(type, model, new Set());
}

export function looksAtNothing({ names, patterns, allMembers, elements }: Evaluation): boolean {
  return names.size === 0 && patterns.length === 0 && !allMembers && elements === 0;
}

function evaluation(type: TypeNode, model: ApiModel, visited: ReadonlySet<string>): Evaluation | undefined {
  const inner = (part: TypeNode): Evaluation | undefined => evaluation(part, model, visited);
  switch (type.kind) {
    case "record": {
      if ((type.dependencies ?? []).some((dependency) => !isNothing(inner(dependency.type)))) return undefined;
      return {
        ...nothing,
        names: new Set(type.members.filter((field) => field.isUndescribed !== true).map((field) => field.name)),
        patterns: (type.patterns ?? []).map(({ pattern }) => pattern),
        allMembers: type.evaluatesAll === true || additionalOf(type).kind !== "any",
      };
    }
    case "list": {
      const takesAll = type.evaluatesAll === true || type.element.kind !== "any";
      if (type.contains !== undefined && !takesAll) return undefined;
      return { ...nothing, elements: takesAll ? Number.POSITIVE_INFINITY : (type.prefix ?? []).length };
    }
    case "union":
      return onlyNothing(type.members.map(inner));
    case "conditional":
      return onlyNothing([type.condition, type.consequence, type.alternative].map(inner));
    case "intersection":
      return type.members.reduce<Evaluation | undefined>(
        (known, member) => together(known, known === undefined ? undefined : inner(member)),
        nothing,
      );
    case "unevaluated":
      return together(inner(type.base), {
        ...nothing,
        allMembers: type.members !== undefined,
        elements: type.elements === undefined ? 0 : Number.POSITIVE_INFINITY,
      });
    case "reference":
      if (visited.has(type.target)) return undefined;
      return evaluation(declarationNode(type.target, model), model, new Set([...visited, type.target]));
    default:
      return nothing;
  }
}

function together(left: Evaluation | undefined, right: Evaluation | undefined): Evaluation | undefined {
  if (left === undefined || right === undefined) return undefined;
  return {
    names: new Set([...left.names, ...right.names]),
    patterns: [...left.patterns, ...right.patterns],
    allMembers: left.allMembers || right.allMembers,
    elements: Math.max(left.elements, right.elements),
  };
}

/** Returns the evaluation of alternatives: none if none of them evaluates anything; otherwise it depends on the value. */
function onlyNothing(parts: readonly (Evaluation | undefined)[]): Evaluation | undefined {
  return parts.every(isNothing) ? nothing : undefined;
}

function isNothing(part: Evaluation | undefined): boolean {
  return part !== undefined && looksAtNothing(part);
}
