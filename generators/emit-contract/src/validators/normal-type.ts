import { partsOfType } from "@nodewright/api-model";
import {
  additionalOf,
  type ApiModel,
  type RecordNode,
  type TypeNode,
  type UnevaluatedNode,
  type UnionNode,
} from "@nodewright/model";
import { validatedTypes } from "../contract/contract-types.ts";
import { evaluationOf, looksAtNothing } from "./evaluation.ts";
import { splitObjects, tagOf } from "../contract/tag.ts";
import { areDisjoint, kindsOf } from "../contract/value-kind.ts";

/** Returns the same model with each declaration's type in its normal form. */
export function normalModel(model: ApiModel): ApiModel {
  return {
    ...model,
    declarations: model.declarations.map((declaration) => ({
      ...declaration,
      type: normalType(declaration.type, model),
    })),
  };
}

/**
 * Returns an equivalent type without redundant members: an alternative that accepts every value replaces the union, one that accepts none
 * is left out, and a type that no kind of value can match is `never`.
 */
export function normalType(type: TypeNode, model: ApiModel): TypeNode {
  const normal = (inner: TypeNode): TypeNode => normalType(inner, model);
  switch (type.kind) {
    case "union":
      return normalUnion(type, type.members.map(normal), model);
    case "intersection":
      return normalIntersection(type, type.members.map(normal), model);
    case "enumeration":
      return type.values.length === 0 ? { kind: "never", source: type.source } : type;
    case "list":
      return {
        ...type,
        prefix: (type.prefix ?? []).map(normal),
        element: normal(type.element),
        ...(type.contains === undefined ? {} : { contains: { ...type.contains, type: normal(type.contains.type) } }),
      };
    case "record":
      return inParts({
        ...type,
        members: type.members.map((field) => ({ ...field, type: normal(field.type) })),
        additional: normal(additionalOf(type)),
        patterns: (type.patterns ?? []).map((pattern) => ({ ...pattern, type: normal(pattern.type) })),
        ...(type.names === undefined ? {} : { names: normal(type.names) }),
        ...(type.dependencies === undefined
          ? {}
          : {
              dependencies: type.dependencies.map((dependency) => ({ ...dependency, type: normal(dependency.type) })),
            }),
      });
    case "not":
      return normalNegation(type, normal(type.type));
    case "conditional":
      return normalConditional({
        ...type,
        condition: normal(type.condition),
        consequence: normal(type.consequence),
        alternative: normal(type.alternative),
      });
    case "unevaluated":
      return normalRest(type, normal(type.base), normal);
    default:
      return type;
  }
}

/** Maximum number of fields in one function: TypeScript gives up control flow analysis of a function that checks about a thousand. */
const maximumFields = 200;

/**
 * Splits a record of very many fields into an intersection whose members become separate functions: the first has all names and the
 * constraints on the complete record, the others check the remaining fields, if the value is a record.
 */
function inParts(type: RecordNode): TypeNode {
  const { members: fields, source } = type;
  const any: TypeNode = { kind: "any", source };
  const demanding = fields.filter((field) => field.required || field.type.kind !== "any");
  if (demanding.length <= maximumFields) return type;
  const first = new Set(demanding.slice(0, maximumFields));
  const named = fields.map((field) => (first.has(field) ? field : { ...field, type: any, required: false }));
  const members: TypeNode[] = [{ ...type, members: named }];
  for (let start = maximumFields; start < demanding.length; start += maximumFields) {
    const part = demanding.slice(start, start + maximumFields);
    members.push({ kind: "record", isKindImplied: true, members: part, additional: any, patterns: [], source });
  }
  return { kind: "intersection", members, source };
}

function normalUnion(type: UnionNode, members: readonly TypeNode[], model: ApiModel): TypeNode {
  const possible = members.filter((member) => member.kind !== "never");
  const [only] = possible;
  if (only === undefined) return { kind: "never", source: type.source };
  if (possible.length === 1) return only;
  const takesAll =
    type.mode === "any-of" &&
    possible.some((member) => member.kind === "any") &&
    (!mindsEvaluation(model) || possible.every((member) => isBlind(member, model)));
  return takesAll ? { kind: "any", source: type.source } : withTagged({ ...type, members: possible }, model);
}

const mindfulModels = new WeakMap<ApiModel, boolean>();

/**
 * Returns whether a type of the model, including those of single operations, uses `unevaluated`, so that alternatives matter even if they
 * only evaluate parts.
 */
export function mindsEvaluation(model: ApiModel): boolean {
  const known = mindfulModels.get(model) ?? validatedTypes(model).some(({ type }) => containsUnevaluated(type));
  mindfulModels.set(model, known);
  return known;
}

function containsUnevaluated(type: TypeNode): boolean {
  return type.kind === "unevaluated" || partsOfType(type).some(containsUnevaluated);
}

function isBlind(type: TypeNode, model: ApiModel): boolean {
  const evaluation = evaluationOf(type, model);
  return evaluation !== undefined && looksAtNothing(evaluation);
}

/** Makes the members that a property distinguishes a union of their own where others, such as null, are next to them. */
function withTagged(type: UnionNode, model: ApiModel): UnionNode {
  const { objects, others } = splitObjects(type, model);
  if (objects.members.length < 2 || others.length === 0) return type;
  if (tagOf(objects, model) === undefined || !areDisjoint([...others, objects], model)) return type;
  const { discriminator: _, ...outer } = type;
  return { ...outer, members: [...others, objects] };
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

function normalNegation(type: Extract<TypeNode, { kind: "not" }>, inner: TypeNode): TypeNode {
  if (inner.kind === "any") return { kind: "never", source: type.source };
  return inner.kind === "never" ? { kind: "any", source: type.source } : { ...type, type: inner };
}

function normalRest(type: UnevaluatedNode, base: TypeNode, normal: (inner: TypeNode) => TypeNode): TypeNode {
  if (base.kind === "never") return base;
  return {
    ...type,
    base,
    ...(type.members === undefined ? {} : { members: normal(type.members) }),
    ...(type.elements === undefined ? {} : { elements: normal(type.elements) }),
  };
}

/** Reduces a conditional whose condition is always or never met to one branch. */
function normalConditional(type: Extract<TypeNode, { kind: "conditional" }>): TypeNode {
  const { condition, consequence, alternative } = type;
  if (condition.kind === "any") return consequence;
  if (condition.kind === "never") return alternative;
  return consequence.kind === "never" && alternative.kind === "never" ? consequence : type;
}
