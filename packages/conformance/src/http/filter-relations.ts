import { inTurns } from "../basics/in-turns.ts";
import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf, memberOf } from "../compare/member-facts.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { RecordMember, SuiteTypes } from "../suite/suite-type.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { ask, caseOf, type HttpContext, type Observation } from "./http-context.ts";
import { comparedMember, elementValues, listedValues, type ComparedMember } from "./element-value.ts";
import { successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { textOf } from "../compare/list-of.ts";
import { hasManyParameters } from "./operation-shape.ts";
import { type Filter, filterFinding, isComplete, isEnded, isListed, widest } from "./list-filter.ts";
import { planInclude, planVerbose } from "./include-relations.ts";
import { type ParameterRole, roleOf } from "./parameter-roles.ts";
import { planRange } from "./range-relations.ts";
import { baseInputOf, firstValid, isIn, itemsOf, observe, observeNow } from "./relation-base.ts";

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
  const listed = itemsOf(filtered);
  // A value that no element has may stand for all of them: `state=all`.
  const isSeen = [...itemsOf(whole), ...listed].some((item) => hasValue(item, compared, value, isLoose) === true);
  if (!isSeen && listed.length > 0 && itemsOf(whole).every((item) => isListed(context, operation, item, listed)))
    return [];
  const wrong = listed.filter((item) => hasValue(item, compared, value, isLoose) === false);
  if (wrong.length > 0) {
    const message = `There are elements whose ${member.name} is not what ${parameter.name} says`;
    return [filterFinding(httpRules.filter, message, `${wrong.length} of ${listed.length}`, filter)];
  }
  if (!isEnded(context, operation, filtered)) return [];
  // Of several values an element may have to have any, or all: what is listed shows which.
  const isAll = Array.isArray(value) && listed.every((item) => hasAll(item, compared, value));
  const isWanted = (item: unknown): boolean =>
    isAll ? hasAll(item, compared, value) : hasValue(item, compared, value, false) === true;
  const missing = (all: Observation): readonly unknown[] =>
    itemsOf(all).filter((item) => isWanted(item) && !isListed(context, operation, item, listed));
  const before = missing(whole);
  if (before.length === 0) return [];
  // What was there before and is there afterwards was there in between.
  const again = await observeNow(context, play, operation, whole.input);
  const lacking = missing(again).filter((item) => isListed(context, operation, item, before));
  if (lacking.length === 0) return [];
  const message = `There are elements missing whose ${member.name} is what ${parameter.name} says`;
  return [filterFinding(httpRules.filter, message, `${lacking.length} of ${itemsOf(again).length}`, filter)];
}

/** Whether an element has each of several values. */
function hasAll(item: unknown, compared: ComparedMember, values: readonly unknown[]): boolean {
  const actual = elementValues(item, compared)?.map(textOf);
  return actual !== undefined && values.every((value) => actual.includes(textOf(value)));
}

/** Values that a filter is tried with: listed ones, and those that some elements have and others not. */
function filterValues(
  context: HttpContext,
  { operation, parameter, member }: Filter,
): readonly { readonly name: string; readonly value: unknown }[] {
  const compared = comparedMember(member, parameter.type, context.types);
  const listed = listedValues(parameter.type, context.types).filter((value) => mayHave(compared, value, context.types));
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
  const apart = holdsList(member, context.types) ? valuesApart(items, compared) : live.slice(0, 2);
  const several = takesList ? severalValues(parameter, apart, context.types) : [];
  const single = [...values.values()].slice(0, isListed ? mostListed : mostValues).flatMap((value, index) => {
    const valid = firstValid(parameter, takesList ? [[value]] : [value], context.types);
    return valid === undefined
      ? []
      : [{ name: isListed ? kebabCase(textOf(value)) : `found-${index + 1}`, value: valid }];
  });
  return [...several, ...single];
}

/** Returns whether a member can have a value, as far as its type lists its values. One such as `all` is not in that list. */
function mayHave({ member, inner }: ComparedMember, value: unknown, types: SuiteTypes): boolean {
  const type = inner === undefined ? member.type : memberOf(member.type, inner, types)?.type;
  const own = type === undefined ? [] : listedValues(type, types);
  return own.length === 0 || own.some((one) => textOf(one) === textOf(value));
}

/** Two values that elements have. */
function severalValues(
  parameter: SuiteParameter,
  values: readonly unknown[],
  types: SuiteTypes,
): readonly { readonly name: string; readonly value: unknown }[] {
  const value = values.length < 2 ? undefined : firstValid(parameter, [values], types);
  return value === undefined ? [] : [{ name: "several", value }];
}

/** Of a member that holds several values: two of which some element has the one alone, and some the other. */
function valuesApart(items: readonly unknown[], compared: ComparedMember): readonly unknown[] {
  const held = items.map((item) => elementValues(item, compared) ?? []);
  const all = [...new Set(held.flat())].filter((value) => value !== null && value !== undefined);
  for (const first of all) {
    for (const second of all) {
      const hasFirst = held.some((values) => values.includes(first) && !values.includes(second));
      const hasSecond = held.some((values) => values.includes(second) && !values.includes(first));
      if (first !== second && hasFirst && hasSecond) return [first, second];
    }
  }
  return [];
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
