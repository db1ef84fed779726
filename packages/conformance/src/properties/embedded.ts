import { canonicalText, escapeSegment, isRecord } from "@nodewright/api-model";
import { type Difference, differences } from "../compare/differences.ts";
import { memberOf, membersOf } from "../compare/member-facts.ts";
import { isShortened } from "../compare/shortened-text.ts";
import { isVolatileName, plainName } from "../compare/volatile-names.ts";
import { declaredName, isComparable, typeOfValue } from "../inference/declared-names.ts";
import { isIdentifying } from "../inference/identifier-member.ts";
import { type FoundObject, isLookedUp, type Lookup, objectsIn } from "../inference/lookups.ts";
import { withPlace } from "../suite/with-place.ts";
import { isValueOf, kebabCase } from "@nodewright/api-values";
import type { Input, Operation } from "./operation.ts";
import type { CrossCheck, CrossOutcome, CrossProperty, Problem, Related } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/**
 * Property that an object within another result equals the one that a lookup by its identifier returns, and that listed objects are found.
 */
export const embeddedProperty: CrossProperty = { name: "embedded", rule: propertyRules.embedded, checks };

/** Maximum number of operations whose objects are compared with the results of one lookup, and of results of each. */
const mostSources = 5;
const mostResults = 16;
/** Maximum number of objects of different shapes; unions have several shapes. */
const mostShapes = 2;
/** Maximum number of objects of one result, where several calls go into one request. */
const mostTogether = 12;
/** Maximum number of objects of one result among which the largest is chosen. */
const mostWeighed = 50;

function* checks({ operations, lookups }: Related): Generator<CrossCheck> {
  for (const lookup of lookups) {
    let sources = 0;
    for (const source of operations) {
      const found = sources < mostSources ? objectsOf(lookup, source) : undefined;
      if (found === undefined) continue;
      sources += 1;
      yield checkOf(lookup, source, found);
    }
  }
}

interface Found {
  readonly input: Input;
  readonly objects: readonly FoundObject[];
}

/**
 * Returns the result of an operation with the most objects of a lookup, the latest of several: some parameters decide how many there are.
 */
function objectsOf(lookup: Lookup<Operation>, source: Operation): Found | undefined {
  const results = source.known.toReversed().slice(0, mostResults);
  const found = results.map(({ input, value }) => ({ input, objects: within(lookup, source, value) }));
  const [most] = found.toSorted((left, right) => right.objects.length - left.objects.length);
  if (most === undefined || most.objects.length === 0) return undefined;
  return { input: most.input, objects: different(most.objects, source.isSelective === true) };
}

function within(lookup: Lookup<Operation>, source: Operation, value: unknown): readonly FoundObject[] {
  const isOwn = source === lookup.operation;
  return objectsIn(value, source.result, source.types).filter(
    (one) => !(isOwn && one.position === "whole") && isLookedUp(lookup, source, one),
  );
}

/** Returns the first object of each shape, the largest ones and the last one. */
function different(objects: readonly FoundObject[], isTogether: boolean): readonly FoundObject[] {
  const shapes = [...Map.groupBy(objects, ({ value }) => Object.keys(value).toSorted().join()).values()];
  const richest = objects
    .slice(0, mostWeighed)
    .map((one) => ({ one, length: canonicalText(one.value).length }))
    .toSorted((left, right) => right.length - left.length)
    .map(({ one }) => one);
  const first = shapes.slice(0, mostShapes).map(([one]) => one);
  const chosen = [...first, objects.at(-1), ...richest.slice(0, isTogether ? mostTogether : 1)];
  return [...new Set(chosen.filter((one) => one !== undefined))].slice(0, mostTogether);
}

function checkOf(lookup: Lookup<Operation>, source: Operation, { input, objects }: Found): CrossCheck {
  const { operation, parameter, member } = lookup;
  const identifiers = objects.map(({ value }) => value[member]);
  const inputs = [...new Set(identifiers)].map((identifier) => inputLike(lookup, identifier, source, input));
  return {
    operation,
    name: `${kebabCase(source.name)}-by-${kebabCase(parameter.name)}`,
    expected: `objects equal to those of ${source.origin}`,
    guess: `${member} of an object in ${source.origin} is taken for the ${parameter.name} of ${operation.origin}`,
    inputs,
    verify: async (call) => {
      const [[outcome], alone] = await Promise.all([call(source, input), call(operation, ...inputs)]);
      const now = within(lookup, source, outcome.value);
      return inputs.flatMap((one, index) => {
        const same = now.filter(({ value }) => value[member] === one[parameter.property]);
        const fullest = same.toSorted((left, right) => sizeOf(right) - sizeOf(left))[0];
        return fullest === undefined ? [] : problemsOf(lookup, source, fullest, alone[index]);
      });
    },
  };
}

/**
 * Returns an input of a lookup with the optional values of the source's call that both operations have: these may decide how objects are
 * represented.
 */
function inputLike(lookup: Lookup<Operation>, identifier: unknown, source: Operation, called: Input): Input {
  const input: Record<string, unknown> = { ...inputOf(lookup, identifier) };
  const shaping = lookup.operation.parameters.filter((one) => !one.required && !isIdentifying(one));
  for (const { name, property, type } of shaping) {
    const own = source.parameters.find((one) => plainName(one.name) === plainName(name));
    if (own === undefined) continue;
    const value = called[own.property];
    if (value === undefined) delete input[property];
    else if (isValueOf(type, value, lookup.operation.types, "request")) input[property] = value;
  }
  return input;
}

function sizeOf({ value }: FoundObject): number {
  return Object.keys(value).length;
}

/** Returns an input that looks up an object by its identifier, with the other values of a call that has returned an object. */
export function inputOf({ operation, parameter }: Lookup<Operation>, identifier: unknown): Input {
  const inputs = operation.known.flatMap(({ input, value }) => (isRecord(value) ? [input] : []));
  const [plainest = {}] = inputs.toSorted((left, right) => Object.keys(left).length - Object.keys(right).length);
  const others = operation.parameters.filter((one) => one.required || !isIdentifying(one));
  const isKept = (name: string): boolean => others.some(({ property }) => property === name);
  const kept = Object.entries(plainest).filter(([name, value]) => isKept(name) && value !== undefined);
  return { ...Object.fromEntries(kept), [parameter.property]: identifier };
}

function problemsOf(
  lookup: Lookup<Operation>,
  source: Operation,
  object: FoundObject,
  alone: CrossOutcome = {},
): readonly Problem[] {
  const { operation, parameter, member } = lookup;
  if (alone.isAbsent === true) {
    // Deeply nested objects may exist only within their parent.
    if (object.position === "within") return [];
    const message = `${operation.origin} does not find an object that ${source.origin} returns`;
    return [{ message, detail: `${parameter.name} ${String(object.value[member])}`, rule: propertyRules.found }];
  }
  if (!isRecord(alone.value)) return [];
  return memberDifferences(lookup, object, alone.value).map(({ steady, pointer, detail, place }) => ({
    message: `${steady} differs from that of the same object in ${source.origin}`,
    detail: `${pointer} ${detail}`,
    object: String(object.value[member]),
    pointer: steady,
    ...withPlace(place),
  }));
}

/** Returns the differences of members that both objects have. */
function memberDifferences(
  { operation, names }: Lookup<Operation>,
  { value, type, name: declared }: FoundObject,
  alone: Readonly<Record<string, unknown>>,
): readonly Difference[] {
  const { types, isSelective } = operation;
  const own = typeOfValue(operation.result, alone, types);
  const isSameType = declared !== undefined && (declaredName(own, types) === declared || names.has(declared));
  const isDescribed = membersOf(own, types).length > 0;
  return Object.entries(value).flatMap(([name, expected]): readonly Difference[] => {
    if (!Object.hasOwn(alone, name) || isVolatileName(name)) return [];
    const [here, there] = [memberOf(type, name, types), memberOf(own, name, types)];
    if (here?.isVolatile === true || there?.isVolatile === true) return [];
    // A member that the description does not name may belong to the enclosing result.
    if (here === undefined && there === undefined && isDescribed) return [];
    if (!isSameType && !isComparable(here?.type, there?.type, types)) return [];
    const pointer = `/${escapeSegment(name)}`;
    return differences(there?.type, expected, alone[name], types, { namesExtra: true, skipsUnnamed: true })
      .filter((one) => !isShortened(one) && !(isSelective === true && ["missing", "extra"].includes(one.kind)))
      .map((one) => ({ ...one, pointer: `${pointer}${one.pointer}`, steady: `${pointer}${one.steady}` }));
  });
}
