import type { ApiModel, TypeNode, UnionNode } from "@nodewright/model";
import { declarationNode } from "./contract-types.ts";
import { kindsOf } from "./value-kind.ts";

/** The property that distinguishes the members of a union: each member requires it and has another constant for it. */
export interface Tag {
  readonly property: string;
  /** Members, each with the property's values that select it. */
  readonly branches: readonly { readonly values: readonly string[]; readonly type: TypeNode }[];
  /** Whether a value of another member cannot match: the property decides, and nothing else needs to be tried. */
  readonly isDecisive: boolean;
}

/** Values of required properties, by name. */
type Constants = ReadonlyMap<string, readonly string[]>;

const tagsOfModels = new WeakMap<ApiModel, Map<UnionNode, Tag | undefined>>();

/** Splits a union into its members that are objects, as a union, and the others, such as null. */
export function splitObjects(
  type: UnionNode,
  model: ApiModel,
): { readonly objects: UnionNode; readonly others: readonly TypeNode[] } {
  const objects: TypeNode[] = [];
  const others: TypeNode[] = [];
  for (const member of type.members) (isObject(member, model) ? objects : others).push(member);
  return { objects: others.length === 0 ? type : { ...type, members: objects }, others };
}

/**
 * Returns the tag of a union. One from the members' own constants is decisive; a discriminator of the document whose property is not a
 * constant only indicates the intended member, and the value still matches whichever member it matches.
 */
export function tagOf(type: UnionNode, model: ApiModel): Tag | undefined {
  const known = tagsOfModels.get(model) ?? new Map<UnionNode, Tag | undefined>();
  tagsOfModels.set(model, known);
  if (!known.has(type)) known.set(type, constantTag(type, model) ?? mappedTag(type, model));
  return known.get(type);
}

function constantTag({ members, discriminator }: UnionNode, model: ApiModel): Tag | undefined {
  if (members.length < 2 || members.some((member) => !isObject(member, model))) return undefined;
  const constants = members.map((member) => constantsOf(member, model, new Set()));
  const names = [...(constants[0]?.keys() ?? [])];
  const wanted = discriminator?.property;
  const candidates = wanted !== undefined && names.includes(wanted) ? [wanted, ...names] : names;
  const property = candidates.find((name) => isDistinct(constants.map((known) => known.get(name))));
  if (property === undefined) return undefined;
  const branches = members.map((type, index) => ({ values: constants[index]?.get(property) ?? [], type }));
  return { property, branches, isDecisive: true };
}

function mappedTag({ members, discriminator }: UnionNode, model: ApiModel): Tag | undefined {
  if (discriminator === undefined || members.some((member) => !isObject(member, model))) return undefined;
  const values = new Map<string, string[]>();
  for (const [value, target] of Object.entries(discriminator.mapping ?? {})) {
    const known = values.get(target);
    if (known === undefined) values.set(target, [value]);
    else known.push(value);
  }
  const branches = members.map((type) => ({
    values: type.kind === "reference" ? (values.get(type.target) ?? []) : [],
    type,
  }));
  const isTrue = branches.every((branch) => canHaveValue(branch, discriminator.property, model));
  if (!isTrue || !isDistinct(branches.map((branch) => branch.values))) return undefined;
  return { property: discriminator.property, branches, isDecisive: false };
}

/** Returns whether a member may have one of the values that select it. */
function canHaveValue({ values, type }: Tag["branches"][number], property: string, model: ApiModel): boolean {
  const constants = constantsOf(type, model, new Set()).get(property);
  return constants === undefined || values.some((value) => constants.includes(value));
}

function isObject(type: TypeNode, model: ApiModel): boolean {
  const kinds = kindsOf(type, model);
  return kinds.size === 1 && kinds.has("object");
}

/** Returns whether each member has values and no value belongs to two. */
function isDistinct(lists: readonly (readonly string[] | undefined)[]): boolean {
  const seen = new Set<string>();
  for (const values of lists) {
    if (values === undefined || values.length === 0) return false;
    for (const value of values) {
      if (seen.has(value)) return false;
      seen.add(value);
    }
  }
  return true;
}

function constantsOf(type: TypeNode, model: ApiModel, visited: ReadonlySet<string>): Constants {
  switch (type.kind) {
    case "record":
      return new Map(
        type.members.flatMap((field) => {
          const values = field.required && field.isUndescribed !== true ? stringsOf(field.type, model) : undefined;
          return values === undefined ? [] : [[field.name, values]];
        }),
      );
    case "intersection":
      return new Map(type.members.flatMap((member) => [...constantsOf(member, model, visited)]));
    case "unevaluated":
      return constantsOf(type.base, model, visited);
    case "reference":
      if (visited.has(type.target)) return new Map();
      return constantsOf(declarationNode(type.target, model), model, new Set([...visited, type.target]));
    default:
      return new Map();
  }
}

/** Returns the strings that a type consists of; undefined for any other type. */
function stringsOf(type: TypeNode, model: ApiModel): readonly string[] | undefined {
  const resolved = type.kind === "reference" ? declarationNode(type.target, model) : type;
  if (resolved.kind !== "enumeration") return undefined;
  const texts = resolved.values.filter((value) => typeof value === "string");
  return texts.length === resolved.values.length && texts.length > 0 ? texts : undefined;
}
