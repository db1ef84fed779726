import {
  additionalOf,
  type ApiModel,
  type JsonValue,
  type ListNode,
  type RecordNode,
  type TypeNode,
} from "@nodewright/model";
import { declarationNode } from "../contract/contract-types.ts";

/** Evaluated parts of a value: nothing when it does not match. */
interface Outcome {
  readonly isMatch: boolean;
  /** Names of members and positions of elements, both as strings. */
  readonly seen: ReadonlySet<string>;
}

const failure: Outcome = { isMatch: false, seen: new Set() };

/**
 * Checks whether a value matches a type, as plainly as JSON Schema 2020-12 describes it, and slowly: generated checks are compared with it.
 * The caller checks strings and numbers.
 */
export function referenceCheck(
  value: JsonValue,
  type: TypeNode,
  model: ApiModel,
  isLeafOf: (value: JsonValue, leaf: TypeNode) => boolean,
): boolean {
  const outcomeOf = (given: JsonValue, part: TypeNode): Outcome => {
    switch (part.kind) {
      case "any":
        return matching([]);
      case "never":
        return failure;
      case "reference":
        return outcomeOf(given, declarationNode(part.target, model));
      case "intersection":
        return allOf(part.members.map((member) => outcomeOf(given, member)));
      case "union": {
        const outcomes = part.members.map((member) => outcomeOf(given, member)).filter(({ isMatch }) => isMatch);
        const isEnough = part.mode === "one-of" ? outcomes.length === 1 : outcomes.length > 0;
        return isEnough ? allOf(outcomes) : failure;
      }
      case "not":
        return outcomeOf(given, part.type).isMatch ? failure : matching([]);
      case "conditional": {
        const condition = outcomeOf(given, part.condition);
        return condition.isMatch
          ? allOf([condition, outcomeOf(given, part.consequence)])
          : outcomeOf(given, part.alternative);
      }
      case "unevaluated": {
        const base = outcomeOf(given, part.base);
        const rest = isList(given) ? part.elements : isRecord(given) ? part.members : undefined;
        if (!base.isMatch || rest === undefined) return base;
        const others = Object.entries(given as object).filter(([key]) => !base.seen.has(key));
        const isRight = others.every(([, member]) => outcomeOf(member, rest).isMatch);
        return isRight ? matching([...base.seen, ...others.map(([key]) => key)]) : failure;
      }
      case "record":
        if (!isRecord(given)) return part.isKindImplied === true ? matching([]) : failure;
        return recordOutcome(given, part);
      case "list":
        if (!isList(given)) return part.isKindImplied === true ? matching([]) : failure;
        return listOutcome(given, part);
      default:
        return isLeafOf(given, part) ? matching([]) : failure;
    }
  };

  const recordOutcome = (given: { readonly [name: string]: JsonValue }, part: RecordNode): Outcome => {
    const entries = entriesOf(given);
    const { minProperties = 0, maxProperties = entries.length, names, dependencies = [] } = part;
    const isMissing = part.members.some(({ name, required }) => required && !Object.hasOwn(given, name));
    if (isMissing || entries.length < minProperties || entries.length > maxProperties) return failure;
    if (names !== undefined && !entries.every(([name]) => outcomeOf(name, names).isMatch)) return failure;
    const seen: string[] = [];
    for (const [name, member] of entries) {
      const field = part.members.find((candidate) => candidate.name === name);
      const patterns = (part.patterns ?? []).filter(({ pattern }) => new RegExp(pattern, "u").test(name));
      const described = [...(field === undefined ? [] : [field]), ...patterns];
      const applied = described.length === 0 ? [additionalOf(part)] : described.map((one) => one.type);
      if (!applied.every((one) => outcomeOf(member, one).isMatch)) return failure;
      if (described.length > 0 || part.evaluatesAll === true || additionalOf(part).kind !== "any") seen.push(name);
    }
    const depending = dependencies.filter(({ property }) => Object.hasOwn(given, property));
    return allOf([matching(seen), ...depending.map((dependency) => outcomeOf(given, dependency.type))]);
  };

  const listOutcome = (given: readonly JsonValue[], part: ListNode): Outcome => {
    const { prefix = [], element, minItems = 0, maxItems = given.length, contains } = part;
    if (given.length < minItems || given.length > maxItems) return failure;
    if (!given.every((item, index) => outcomeOf(item, prefix[index] ?? element).isMatch)) return failure;
    if (part.uniqueItems === true && hasRepetition(given)) return failure;
    const takesAll = part.evaluatesAll === true || element.kind !== "any";
    const seen = given.flatMap((_, index) => (takesAll || index < prefix.length ? [String(index)] : []));
    if (contains === undefined) return matching(seen);
    const found = given.flatMap((item, index) => (outcomeOf(item, contains.type).isMatch ? [String(index)] : []));
    const { minimum, maximum = found.length } = contains;
    return found.length < minimum || found.length > maximum ? failure : matching([...seen, ...found]);
  };

  return outcomeOf(value, type).isMatch;
}

function matching(seen: readonly string[]): Outcome {
  return { isMatch: true, seen: new Set(seen) };
}

function allOf(outcomes: readonly Outcome[]): Outcome {
  return outcomes.every(({ isMatch }) => isMatch) ? matching(outcomes.flatMap(({ seen }) => [...seen])) : failure;
}

function hasRepetition(list: readonly JsonValue[]): boolean {
  return list.some((item, index) => list.slice(0, index).some((earlier) => areEqual(item, earlier)));
}

function areEqual(left: JsonValue, right: JsonValue): boolean {
  if (isList(left) !== isList(right) || isRecord(left) !== isRecord(right)) return false;
  if (!isList(left) && !isRecord(left)) return left === right;
  const members = entriesOf(left);
  const others = new Map(isList(right) || isRecord(right) ? entriesOf(right) : []);
  if (members.length !== others.size) return false;
  return members.every(([name, member]) => {
    const other = others.get(name);
    return other !== undefined && areEqual(member, other);
  });
}

function entriesOf(
  value: { readonly [name: string]: JsonValue } | readonly JsonValue[],
): readonly [string, JsonValue][] {
  return Object.entries(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isRecord(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
