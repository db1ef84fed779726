import {
  additionalOf,
  type ApiModel,
  type ListNode,
  type RecordNode,
  type TypeNode,
  type UnevaluatedNode,
} from "@nodewright/model";
import { needsCodec } from "@nodewright/output";
import { declarationNode } from "../contract-types.ts";
import { isLongNumber, mayHoldLongNumber } from "../type-facts.ts";

/** `decode`: wire to memory. `encode`: memory to wire. */
export type Direction = "decode" | "encode";

/** How a number is converted; `plain` only from the wire, where it may be a bigint that memory holds as a double. */
export type NumberConversion = "amount" | "bigint" | "plain";

/**
 * Whether converting changes anything in a type's values. From the wire that is so also for numbers without bounds, because
 * the lossless reader gives long integers as bigints.
 */
export function isConverted(type: TypeNode, direction: Direction, model: ApiModel): boolean {
  if (needsCodec(type, model)) return true;
  return direction === "decode" && mayHoldLongNumber(type, model);
}

/** The types that a value may be of, what is made of several in place dissolved; references stay. */
export function alternativesOf(types: readonly TypeNode[]): readonly TypeNode[] {
  return [...new Set(types.flatMap((type) => inPlace(type) ?? [type]))];
}

/** What a type is made of for the value itself; undefined for one that is not made of others. */
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

/** What is said of the members and elements that are left over, as a record and a list. */
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

/** The same with references followed, each once. */
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

/** An amount wins over a plain number: where both could be meant, the type that says more does. */
export function numberConversion(types: readonly TypeNode[], direction: Direction): NumberConversion | undefined {
  const numbers = types.filter((type) => type.kind === "number");
  if (numbers.some((type) => type.representation === "bitcoin-amount")) return "amount";
  if (numbers.some((type) => type.representation === "bigint")) return "bigint";
  return direction === "decode" && numbers.some(isLongNumber) ? "plain" : undefined;
}

/** The types that a member of that name may have in any of the records. */
export function memberTypes(records: readonly RecordNode[], name: string): readonly TypeNode[] {
  return records.flatMap((record) => {
    const field = record.members.find((candidate) => candidate.name === name);
    return field === undefined ? unnamedTypes([record]) : [field.type];
  });
}

/** The types that members which no field names may have. */
export function unnamedTypes(records: readonly RecordNode[]): readonly TypeNode[] {
  return records.flatMap((record) => [...(record.patterns ?? []).map((pattern) => pattern.type), additionalOf(record)]);
}

/** The types that an element at a position may have; of those after all prefixes where none is given. */
export function elementTypes(lists: readonly ListNode[], position?: number): readonly TypeNode[] {
  return lists.flatMap(({ prefix = [], element, contains }) => [
    (position === undefined ? undefined : prefix[position]) ?? element,
    ...(contains === undefined ? [] : [contains.type]),
  ]);
}
