import { inTurns } from "../basics/in-turns.ts";
import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { isSameValue } from "../compare/differences.ts";
import { isTime } from "../examples/example-trust.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf } from "../compare/member-facts.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { RecordMember, SuiteTypes } from "../suite/suite-type.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { ask, caseOf, type HttpContext, type Observation } from "./http-context.ts";
import { comparedMember, elementValues, listedValues, type ComparedMember } from "./element-value.ts";
import { successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { listOf, textOf } from "../compare/list-of.ts";
import { hasManyParameters } from "./operation-shape.ts";
import { type ParameterRole, parametersOfRole, roleOf } from "./parameter-roles.ts";
import {
  baseInputOf,
  baseInputsOf,
  defaultOf,
  firstValid,
  integerBounds,
  isIn,
  itemsOf,
  observe,
  observeNow,
} from "./relation-base.ts";

/** Values of one filter that are tried, and of those whose values are listed. */
const mostValues = 2;
const mostListed = 4;

/** Filters, bounds and parameters that add members: what they are called after says what they do. */
export function planFilters(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const first = firstCases(operation);
  return inTurns(filterCases(context, operation).map(({ kind, cases }) => cases.slice(0, first[kind])));
}

/** What is left of them, where calls are. */
export function planFurtherFilters(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const first = firstCases(operation);
  return inTurns(filterCases(context, operation).map(({ kind, cases }) => cases.slice(first[kind])));
}

interface FilterCases {
  readonly kind: "value" | "bound" | "other";
  readonly cases: readonly PlannedCase[];
}

/** How many cases of a parameter come before what is wrong is sent: where there are many parameters, all of them have to have their turn. */
function firstCases(operation: SuiteHttpOperation): Readonly<Record<FilterCases["kind"], number>> {
  return hasManyParameters(operation)
    ? { value: 1, bound: 1, other: 1 }
    : { value: mostValues + 1, bound: 3, other: 1 };
}

function filterCases(context: HttpContext, operation: SuiteHttpOperation): readonly FilterCases[] {
  const base = baseInputOf(context, operation);
  if (base === undefined) return [];
  return operation.parameters.flatMap((parameter): readonly FilterCases[] => {
    if (parameter.required) return [];
    const role = roleOf(operation, parameter, context.types);
    switch (role.kind) {
      case "filter": {
        const filter = { operation, base, parameter, member: role.member };
        return [{ kind: "value", cases: planFilter(context, filter) }];
      }
      case "minimum":
      case "maximum": {
        const filter = { operation, base, parameter, member: role.member };
        return [{ kind: "bound", cases: planRange(context, filter, role.kind) }];
      }
      case "include":
        return [{ kind: "other", cases: [planInclude(context, { operation, base, parameter, member: role.member })] }];
      case "narrow":
      case "widen":
        return [{ kind: "other", cases: [planPart(context, { operation, base, parameter, role })] }];
      case "verbose":
        return [{ kind: "other", cases: planVerbose(context, operation, base, parameter) }];
      default:
        return [];
    }
  });
}

interface Filter {
  readonly operation: SuiteHttpOperation;
  readonly base: Input;
  readonly parameter: SuiteParameter;
  readonly member: RecordMember;
}

function planFilter(context: HttpContext, filter: Filter): readonly PlannedCase[] {
  const { operation, base, parameter, member } = filter;
  return filterValues(context, filter).map(({ name, value }) =>
    caseOf(context, operation, {
      group: "relation",
      name: `filter-${kebabCase(parameter.name)}-${name}`,
      rule: httpRules.filter,
      expected: `all elements whose ${member.name} is what ${parameter.name} says, and no others`,
      requests: 3,
      isLive: true,
      input: { ...base, ...widest(context, operation), [parameter.property]: value },
      play: async (play) => {
        const whole = await observe(context, play, operation, { ...base, ...widest(context, operation) });
        const input = { ...base, ...widest(context, operation), [parameter.property]: value };
        const filtered = await ask(context, play, operation, input);
        const found = successFindings(context, play, filtered, httpRules.validValue);
        if (filtered.judged.kind !== "success") return found;
        return [...found, ...(await filterFindings(context, play, filter, { value, whole, filtered }))];
      },
    }),
  );
}

interface Filtered {
  readonly value: unknown;
  readonly whole: Observation;
  readonly filtered: Observation;
}

async function filterFindings(
  context: HttpContext,
  play: CasePlay,
  filter: Filter,
  { value, whole, filtered }: Filtered,
): Promise<readonly Finding[]> {
  const { operation, parameter, member } = filter;
  const compared = comparedMember(member, parameter.type, context.types);
  const isLoose = !isClosed(context, parameter);
  const wrong = itemsOf(filtered).filter((item) => hasValue(item, compared, value, isLoose) === false);
  if (wrong.length > 0) {
    const message = `There are elements whose ${member.name} is not what ${parameter.name} says`;
    return [filterFinding(httpRules.filter, message, `${wrong.length} of ${itemsOf(filtered).length}`, filter)];
  }
  if (!isComplete(context, operation, whole)) return [];
  const missing = (all: readonly unknown[]): readonly unknown[] =>
    all
      .filter((item) => hasValue(item, compared, value, false) === true)
      .filter((item) => !isIn(context, operation, item, itemsOf(filtered)));
  if (itemsOf(filtered).length >= sizeLimit(context, operation)) return [];
  if (missing(itemsOf(whole)).length === 0) return [];
  const again = await observeNow(context, play, operation, whole.input);
  const lacking = missing(itemsOf(again));
  if (lacking.length === 0) return [];
  const message = `There are elements missing whose ${member.name} is what ${parameter.name} says`;
  return [filterFinding(httpRules.filter, message, `${lacking.length} of ${itemsOf(again).length}`, filter)];
}

/** Values that a filter is tried with: listed ones, and those that some elements have and others not. */
function filterValues(
  context: HttpContext,
  { operation, parameter, member }: Filter,
): readonly { readonly name: string; readonly value: unknown }[] {
  const listed = listedValues(parameter.type, context.types);
  const compared = comparedMember(member, parameter.type, context.types);
  const seen = new Map<string, { readonly value: unknown; count: number }>();
  const items = (context.observations.get(operation.name) ?? []).flatMap((one) => itemsOf(one));
  for (const item of items) {
    for (const value of (elementValues(item, compared) ?? []).slice(0, 3)) {
      if (value === null || value === undefined) continue;
      const known = seen.get(textOf(value));
      if (known === undefined) seen.set(textOf(value), { value, count: 1 });
      else known.count += 1;
    }
  }
  // The rarer a value is, the more is left out for it.
  const live = [...seen.values()].toSorted((left, right) => left.count - right.count).map(({ value }) => value);
  const isListed = listed.length > 0;
  const ranked = isListed
    ? [...live.filter((value) => listed.some((other) => textOf(other) === textOf(value))), ...listed]
    : live.slice(0, 2);
  const values = new Map(ranked.map((value) => [textOf(value), value]));
  const takesList = armsOf(parameter.type, context.types).some(({ kind }) => kind === "list");
  const several = takesList && !holdsList(member, context.types) ? severalValues(parameter, live, context.types) : [];
  const single = [...values.values()].slice(0, isListed ? mostListed : mostValues).flatMap((value, index) => {
    const valid = firstValid(parameter, takesList ? [[value]] : [value], context.types);
    return valid === undefined
      ? []
      : [{ name: isListed ? kebabCase(textOf(value)) : `found-${index + 1}`, value: valid }];
  });
  return [...several, ...single];
}

/** Two values that elements have: what has one value alone can't have both, so that either is meant. */
function severalValues(
  parameter: SuiteParameter,
  live: readonly unknown[],
  types: SuiteTypes,
): readonly { readonly name: string; readonly value: unknown }[] {
  const value = live.length < 2 ? undefined : firstValid(parameter, [live.slice(0, 2)], types);
  return value === undefined ? [] : [{ name: "several", value }];
}

function holdsList({ type }: RecordMember, types: SuiteTypes): boolean {
  return armsOf(type, types).some(({ kind }) => kind === "list");
}

/** True where the values of a filter are listed or plain: texts that are not may be searched for. */
function isClosed(context: HttpContext, { type }: SuiteParameter): boolean {
  return armsOf(type, context.types).every(({ kind }) => kind !== "string");
}

/** Undefined where an element does not show it. `isLoose`: a text may stand within the member, in either case. */
function hasValue(item: unknown, compared: ComparedMember, value: unknown, isLoose: boolean): boolean | undefined {
  const wanted = Array.isArray(value) ? value.map(textOf) : [textOf(value)];
  const values = elementValues(item, compared);
  if (values === undefined) return undefined;
  const actual = values.map(textOf);
  if (actual.some((one) => wanted.includes(one))) return true;
  if (!isLoose) return false;
  // Of an element that does not show the member nothing can be told.
  if (values.every((one) => one === undefined || one === null)) return undefined;
  return actual.some((one) => wanted.some((text) => one.toLowerCase().includes(text.toLowerCase())));
}

/** Where a bound stands, against the value of an element in the middle. */
type BoundPlace = "at" | "above" | "below";

function planRange(context: HttpContext, filter: Filter, kind: "minimum" | "maximum"): readonly PlannedCase[] {
  const { operation, base, parameter, member } = filter;
  // Just beside a value a bound that is off by a little lets through what it should not, or too little.
  const places: readonly BoundPlace[] = ["above", "below", "at"];
  return places.map((place) =>
    caseOf(context, operation, {
      group: "relation",
      name: `range-${kebabCase(parameter.name)}${place === "at" ? "" : `-${place}`}`,
      rule: httpRules.range,
      expected: `all elements whose ${member.name} is within the bound, and no others`,
      requests: 3,
      isLive: true,
      play: async (play) => {
        const whole = await observe(context, play, operation, { ...base, ...widest(context, operation) });
        const bound = boundAmong(itemsOf(whole), member, place);
        const valid = firstValid(parameter, [bound], context.types);
        if (valid === undefined) return play.skip("No element has a value to bound by");
        const input = { ...base, ...widest(context, operation), [parameter.property]: valid };
        const bounded = await ask(context, play, operation, input);
        const found = successFindings(context, play, bounded, httpRules.validValue);
        if (bounded.judged.kind !== "success") return found;
        return [...found, ...(await rangeFindings(context, play, filter, { kind, value: valid, whole, bounded }))];
      },
    }),
  );
}

interface Bounded {
  readonly kind: "minimum" | "maximum";
  readonly value: unknown;
  readonly whole: Observation;
  readonly bounded: Observation;
}

async function rangeFindings(
  context: HttpContext,
  play: CasePlay,
  filter: Filter,
  { kind, value: bound, whole, bounded }: Bounded,
): Promise<readonly Finding[]> {
  const { operation, parameter, member } = filter;
  const sign = kind === "minimum" ? 1 : -1;
  const isWithin = (item: unknown, strictly: boolean): boolean => {
    const value = isRecord(item) ? item[member.name] : undefined;
    if (value === undefined || value === null) return !strictly;
    const distance = order(value, bound) * sign;
    return strictly ? distance > 0 : distance >= 0;
  };
  const outside = itemsOf(bounded).filter((item) => !isWithin(item, false));
  if (outside.length > 0) {
    const message = `There are elements whose ${member.name} is outside ${parameter.name}`;
    return [filterFinding(httpRules.range, message, `${outside.length} of ${itemsOf(bounded).length}`, filter)];
  }
  if (!isComplete(context, operation, whole) || itemsOf(bounded).length >= sizeLimit(context, operation)) return [];
  const again = await observeNow(context, play, operation, whole.input);
  const missing = itemsOf(again).filter(
    (item) => isWithin(item, true) && !isIn(context, operation, item, itemsOf(bounded)),
  );
  if (missing.length === 0) return [];
  const message = `There are elements missing whose ${member.name} is within ${parameter.name}`;
  return [filterFinding(httpRules.range, message, `${missing.length} of ${itemsOf(again).length}`, filter)];
}

/** The value of a member in the middle of all, or one just beside it; undefined where no element has one. */
function boundAmong(items: readonly unknown[], member: RecordMember, place: BoundPlace): unknown {
  const values = items
    .map((item) => (isRecord(item) ? item[member.name] : undefined))
    .filter((value) => typeof value === "number" || typeof value === "string")
    .toSorted((left, right) => order(left, right));
  const middle = values[Math.floor(values.length / 2)];
  if (middle === undefined || place === "at") return middle;
  return beside(middle, place === "above" ? 1 : -1);
}

const dayMilliseconds = 86_400_000;

/** The next whole number, half a step of the last digit, the next day or second. */
function beside(value: number | string, sign: 1 | -1): unknown {
  if (typeof value === "number") {
    if (Number.isInteger(value)) return value + sign;
    const digits = String(value).split(".")[1]?.length ?? 1;
    return Number((value + (sign * 0.5) / 10 ** digits).toFixed(digits + 1));
  }
  if (!isTime(value)) return undefined;
  const moment = Date.parse(value);
  if (Number.isNaN(moment)) return undefined;
  return value.length === dateLength
    ? new Date(moment + sign * dayMilliseconds).toISOString().slice(0, dateLength)
    : new Date(moment + sign * 1000).toISOString().replace(".000Z", "Z");
}

/** Of `2024-05-06`. */
const dateLength = 10;

function planInclude(context: HttpContext, filter: Filter): PlannedCase {
  const { operation, parameter, member } = filter;
  const [first, second] = baseInputsOf(context, operation);
  const inputs = [first, second].filter((input) => input !== undefined);
  return caseOf(context, operation, {
    group: "relation",
    name: `include-${kebabCase(parameter.name)}`,
    rule: httpRules.effect,
    expected: `${member.name} where ${parameter.name} is true, and none where it is false`,
    requests: inputs.length * 2,
    isLive: true,
    play: async (play) => {
      let differ = false;
      let isSeen = false;
      let isTurned = false;
      const found: Finding[] = [];
      for (const input of inputs) {
        const off = await observeNow(context, play, operation, { ...input, [parameter.property]: false });
        const on = await observeNow(context, play, operation, { ...input, [parameter.property]: true });
        found.push(...off.judged.findings, ...on.judged.findings);
        isTurned ||= holds(off.judged.value, member.name) && !holds(on.judged.value, member.name);
        isSeen ||= holds(off.judged.value, member.name) || holds(on.judged.value, member.name);
        differ ||= !isSameValue(off.judged.type, off.judged.value, on.judged.value, context.types);
      }
      if (isTurned) {
        const turned = `/${escapeSegment(member.name)} is there where ${parameter.name} is false, and not where it is true`;
        return [...found, filterFinding(httpRules.effect, turned, "the other way round", filter)];
      }
      if (differ) return found;
      const isShown = operation.examples.some(
        ({ input, outcome }) =>
          outcome.kind === "success" && input[parameter.property] === true && holds(outcome.value, member.name),
      );
      if (!isSeen && !isShown) return found;
      const message = `The answer is the same whatever ${parameter.name} says`;
      return [...found, filterFinding(httpRules.effect, message, "with true and with false", filter)];
    },
  });
}

interface Part {
  readonly operation: SuiteHttpOperation;
  readonly base: Input;
  readonly parameter: SuiteParameter;
  readonly role: Extract<ParameterRole, { kind: "narrow" | "widen" }>;
}

/** `only_open=true` lists a part of what `only_open=false` lists, `include_closed=false` one of what `include_closed=true` lists. */
function planPart(context: HttpContext, { operation, base, parameter, role }: Part): PlannedCase {
  const { member } = role;
  const isNarrow = role.kind === "narrow";
  const given = (value: boolean): Input => ({
    ...base,
    ...widest(context, operation),
    [parameter.property]: value,
  });
  return caseOf(context, operation, {
    group: "relation",
    name: `part-${kebabCase(parameter.name)}`,
    rule: httpRules.filter,
    expected: `where ${parameter.name} is ${isNarrow} a part of what is listed where it is ${!isNarrow}`,
    requests: 3,
    isLive: true,
    play: async (play) => {
      const part = await ask(context, play, operation, given(isNarrow));
      const found = successFindings(context, play, part, httpRules.validValue);
      if (part.judged.kind !== "success") return found;
      const finding = (message: string, count: number): readonly Finding[] => {
        const detail = `${count} of ${itemsOf(part).length}`;
        return [
          ...found,
          { rule: httpRules.filter, message, detail, ...withPlace(parameter.place ?? parameter.type.place) },
        ];
      };
      if (member !== undefined) {
        const isOther = (item: unknown): boolean => isRecord(item) && item[member.name] === !isNarrow;
        const others = itemsOf(part).filter(isOther).length;
        const message = `There are elements whose ${member.name} is ${!isNarrow} where ${parameter.name} is ${isNarrow}`;
        if (others > 0) return finding(message, others);
      }
      const whole = await observe(context, play, operation, given(!isNarrow));
      if (!isComplete(context, operation, whole)) return found;
      const beyond = (all: Observation): number =>
        itemsOf(part).filter((item) => !isIn(context, operation, item, itemsOf(all))).length;
      if (beyond(whole) === 0) return found;
      const again = beyond(await observeNow(context, play, operation, whole.input));
      const message = `There are elements where ${parameter.name} is ${isNarrow} that are not there where it is ${!isNarrow}`;
      return again === 0 ? found : finding(message, again);
    },
  });
}

/** Where `verbose` is true, an answer says no less than where it is false; `brief` is the other way round. */
function planVerbose(
  context: HttpContext,
  operation: SuiteHttpOperation,
  base: Input,
  parameter: SuiteParameter,
): readonly PlannedCase[] {
  const isBoolean = armsOf(parameter.type, context.types).every(({ kind }) => kind === "boolean");
  const plain = plainName(parameter.name);
  if (!isBoolean || plain === "raw") return [];
  const full = !/^(?:brief|summary|short|compact)$/.test(plain);
  return [
    caseOf(context, operation, {
      group: "relation",
      name: `verbose-${kebabCase(parameter.name)}`,
      rule: httpRules.effect,
      expected: `no fewer members where ${parameter.name} is ${full} than where it is ${!full}`,
      requests: 2,
      isLive: true,
      play: async (play) => {
        const less = await observeNow(context, play, operation, { ...base, [parameter.property]: !full });
        const more = await observeNow(context, play, operation, { ...base, [parameter.property]: full });
        const [few, many] = [memberNamesOf(less), memberNamesOf(more)];
        const isTurned = many.size < few.size && [...many].every((name) => few.has(name));
        if (!isTurned) return [...less.judged.findings, ...more.judged.findings];
        const message = `The answer says less where ${parameter.name} is ${full} than where it is ${!full}`;
        const place = withPlace(parameter.place ?? parameter.type.place);
        return [{ rule: httpRules.effect, message, ...place }];
      },
    }),
  ];
}

function memberNamesOf({ judged }: Observation): ReadonlySet<string> {
  const [first] = listOf(judged.value)?.items ?? [];
  const object = isRecord(first) ? first : judged.value;
  return new Set(isRecord(object) ? Object.keys(object) : []);
}

/** Whether an object, or an element of its list, has a member that says something. */
function holds(value: unknown, name: string): boolean {
  const objects = isRecord(value) ? [value, ...(listOf(value)?.items ?? [])] : (listOf(value)?.items ?? []);
  return objects.some((one) => isRecord(one) && one[name] !== undefined && one[name] !== null);
}

/** The greatest documented limit, so that a list is as whole as it can be had. */
function widest(context: HttpContext, operation: SuiteHttpOperation): Input {
  const [limit] = parametersOfRole(operation, "limit", context.types);
  if (limit === undefined) return {};
  const { maximum } = integerBounds(limit.type, context.types);
  const value = firstValid(limit, [maximum ?? 50, 10], context.types);
  return value === undefined ? {} : { [limit.property]: value };
}

/** Elements that an answer has at most; a list of that many may go on. */
function sizeLimit(context: HttpContext, operation: SuiteHttpOperation): number {
  const [limit] = parametersOfRole(operation, "limit", context.types);
  if (limit === undefined) return isCapped(context, operation) ? 1 : Number.POSITIVE_INFINITY;
  const value = widest(context, operation)[limit.property] ?? defaultOf(limit, context.types);
  return typeof value === "number" ? value : 1;
}

/** Whether a list is all that there is: not cut by a limit. */
function isComplete(context: HttpContext, operation: SuiteHttpOperation, whole: Observation): boolean {
  return itemsOf(whole).length < sizeLimit(context, operation);
}

/** Pages without a limit end somewhere that nobody knows. */
function isCapped({ types }: HttpContext, operation: SuiteHttpOperation): boolean {
  return (["page", "cursor", "offset"] as const).some((kind) => parametersOfRole(operation, kind, types).length > 0);
}

function filterFinding(rule: Rule, message: string, detail: string, { parameter, member }: Filter): Finding {
  const pointer = `/*/${escapeSegment(member.name)}`;
  return { rule, message, detail, pointer, ...withPlace(parameter.place ?? parameter.type.place) };
}

function order(left: unknown, right: unknown): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [first, second] = [textOf(left), textOf(right)];
  if (isTime(first) && isTime(second)) return timeOrder(first, second);
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Of a day and a moment within it, or near it in another zone, nobody knows which counts as first. */
function timeOrder(left: string, right: string): number {
  const distance = Date.parse(left) - Date.parse(right);
  if (Number.isNaN(distance)) return 0;
  const areAlike = (left.length === dateLength) === (right.length === dateLength);
  return areAlike || Math.abs(distance) > 2 * dayMilliseconds ? distance : 0;
}
