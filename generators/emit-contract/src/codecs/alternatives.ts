import {
  additionalOf,
  type ApiModel,
  type ListNode,
  type RecordNode,
  type TypeNode,
  type UnevaluatedNode,
} from "@nodewright/model";
import { needsCodec } from "../names/contract-facts.ts";
import { declarationNode } from "../contract/contract-types.ts";
import { isLongNumber, mayHoldLongNumber } from "../contract/type-facts.ts";

/** Direction of a conversion. `decode`: wire to memory. `encode`: memory to wire. */
export type Direction = "decode" | "encode";

/** Conversion of a number; `plain` only from the wire, where it may be a bigint that memory holds as a double. */
export type NumberConversion = "amount" | "bigint" | "plain";

/**
 * Returns whether converting changes any value of a type. From the wire that is also true for numbers without bounds, because the lossless
 * parser gives long integers as bigints.
 */
export function isConverted(type: TypeNode, direction: Direction, model: ApiModel): boolean {
  if (needsCodec(type, model)) return true;
  return direction === "decode" && mayHoldLongNumber(type, model);
}

/**
 * Returns the possible types of a value, with combinations that apply to the value itself replaced by their members; references are kept.
 */
export function alternativesOf(types: readonly TypeNode[]): readonly TypeNode[] {
  return [...new Set(types.flatMap((type) => inPlace(type) ?? [type]))];
}

/** Returns the subschemas of a type that apply to the value itself; undefined for a type that is not a combination. */
function inPlace(type: TypeNode): readonly TypeNode[] | undefined {
  switch (type.kind) {
    case "union":
    case "intersection":
      return alternativesOf(type.members);
    case "not":
      return [];
    case "conditional":
      return alternativesOf([type.consequence, type.alternative]);
    case "unevaluated":
      return [...alternativesOf([type.base]), ...restTypes(type)];
    case "record": {
      const { dependencies = [] } = type;
      return dependencies.length === 0 ? undefined : [type, ...alternativesOf(dependencies.map((one) => one.type))];
    }
    default:
      return undefined;
  }
}

const restsOfTypes = new WeakMap<UnevaluatedNode, readonly TypeNode[]>();

/** Returns the types of the unevaluated members and elements, as a record and a list. */
function restTypes(type: UnevaluatedNode): readonly TypeNode[] {
  const known = restsOfTypes.get(type);
  if (known !== undefined) return known;
  const { members, elements, source } = type;
  const rests: readonly TypeNode[] = [
    ...(members === undefined
      ? []
      : [{ kind: "record" as const, members: [], patterns: [], additional: members, source }]),
    ...(elements === undefined ? [] : [{ kind: "list" as const, prefix: [], element: elements, source }]),
  ];
  restsOfTypes.set(type, rests);
  return rests;
}

/** Returns the alternatives with references resolved, each once. */
export function expandedAlternatives(types: readonly TypeNode[], model: ApiModel): readonly TypeNode[] {
  const found = new Set<TypeNode>();
  const visited = new Set<string>();
  const pending = [...alternativesOf(types)];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (next.kind !== "reference") {
      found.add(next);
    } else if (!visited.has(next.target)) {
      visited.add(next.target);
      pending.unshift(...alternativesOf([declarationNode(next.target, model)]));
    }
  }
  return [...found];
}

/**
 * Returns the conversion of a number. An amount takes precedence over a plain number: where both are possible, the more specific type
 * decides.
 */
export function numberConversion(types: readonly TypeNode[], direction: Direction): NumberConversion | undefined {
  const numbers = types.filter((type) => type.kind === "number");
  if (numbers.some((type) => type.representation === "bitcoin-amount")) return "amount";
  if (numbers.some((type) => type.representation === "bigint")) return "bigint";
  return direction === "decode" && numbers.some(isLongNumber) ? "plain" : undefined;
}

/** Returns the types that a member with that name may have in any of the records. */
export function memberTypes(records: readonly RecordNode[], name: string): readonly TypeNode[] {
  return records.flatMap((record) => {
    const field = record.members.find((candidate) => candidate.name === name);
    return field === undefined ? unnamedTypes([record]) : [field.type];
  });
}

/** Returns the types of members that no field names. */
export function unnamedTypes(records: readonly RecordNode[]): readonly TypeNode[] {
  return records.flatMap((record) => [...(record.patterns ?? []).map((pattern) => pattern.type), additionalOf(record)]);
}

/** Returns the types that an element at a position may have; without a position, those of elements after all prefixes. */
export function elementTypes(lists: readonly ListNode[], position?: number): readonly TypeNode[] {
  return lists.flatMap(({ prefix = [], element, contains }) => [
    (position === undefined ? undefined : prefix[position]) ?? element,
    ...(contains === undefined ? [] : [contains.type]),
  ]);
}
