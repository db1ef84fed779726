import { inTurns } from "../basics/in-turns.ts";
import { withPlace } from "../suite/with-place.ts";
import { type Finding, isBroken } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { isSameValue } from "../compare/differences.ts";
import { armsOf } from "../compare/member-facts.ts";
import { showValue } from "../compare/show-value.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { boundaryValuesOf } from "../types/boundary-values.ts";
import { kebabCase } from "../types/kebab-case.ts";
import type { NamedValue } from "../types/value-contract.ts";
import { createRandom } from "../types/random.ts";
import { randomValueOf } from "../types/random-value.ts";
import { shrinkValue } from "../types/shrink-value.ts";
import { shrinkAllowance } from "../session/shrink-allowance.ts";
import {
  acceptedKey,
  ask,
  caseOf,
  findObservation,
  type HttpContext,
  type Observation,
  wasSent,
} from "./http-context.ts";
import { documentsStatus } from "./http-answer.ts";
import { detailOf, skipUnjudged, successFindings } from "./http-expect.ts";
import { contentOf, type Input, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { hasManyParameters } from "../inference/many-parameters.ts";
import { isCursor } from "./parameter-roles.ts";
import { baseInputOf, baseInputsOf, defaultOf, firstValid, integerBounds, withoutOptional } from "./relation-base.ts";
import { propertyRules } from "../properties/property-rules.ts";
import { bareInputOf } from "./example-cases.ts";

/** Values of one parameter that are tried. */
const mostValues = 6;
/** Integers from one end of a range to the other, in which each has to be taken. */
const shortRange = 1000;
/** Random inputs of one operation. */
const randomInputs = 8;
/** Requests that finding a smaller failing value may take in any case. */
const leastShrinks = 8;

/** Each optional parameter left out and given, at its bounds and with each listed value. */
export function planBoundaries(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  if (base === undefined) return [];
  const perParameter = operation.parameters.map((parameter) => parameterCases(context, operation, base, parameter));
  return [...inTurns(perParameter), ...bodyCases(context, operation, base)];
}

/** What is not required may be left out, all of it. */
export function planWithoutOptional(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const [input] = baseInputsOf(context, operation);
  const isNew = input !== undefined && !wasSent(context, operation, input);
  if (input === undefined || !isNew) return [];
  return [
    caseOf(context, operation, {
      group: "boundary",
      name: "only-required",
      rule: httpRules.accepted,
      expected: "a documented success without what is optional",
      isLive: true,
      input,
      play: async (play) =>
        successFindings(context, play, await ask(context, play, operation, input), httpRules.accepted),
    }),
  ];
}

/**
 * Of operations with many parameters: a value of each at once, then the next of each. What is taken so need not be asked for alone;
 * where it is refused, each is asked for alone later, and tells which it is.
 */
export function planTogether(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation);
  if (base === undefined || !hasManyParameters(operation)) return [];
  const each = operation.parameters
    .filter((parameter) => isFree(context, operation, parameter))
    .map((parameter) => validValues(context, operation, parameter).map(({ value }) => ({ parameter, value })));
  const turns = Array.from({ length: mostValues }, (_none, turn) =>
    each.flatMap((values) => values.slice(turn, turn + 1)),
  );
  return turns
    .filter(({ length }) => length > 1)
    .map((chosen, turn) => {
      const values = chosen.map(({ parameter, value }) => [parameter.property, value] as const);
      const input = { ...base, ...Object.fromEntries(values) };
      return caseOf(context, operation, {
        group: "boundary",
        name: `together-${turn + 1}`,
        rule: httpRules.validValueLikely,
        expected: "a documented answer to values within their bounds",
        isLive: true,
        input,
        play: async (play) => {
          const observation = await ask(context, play, operation, input);
          const found = judgeRandom(context, play, observation);
          if (observation.judged.kind === "success" && !isBroken(found)) {
            for (const { parameter, value } of chosen) context.accepted.add(acceptedKey(operation, parameter, value));
          }
          return found;
        },
      });
    });
}

/** Whether values of a parameter may stand beside those of others: what pages are found by may not. */
function isFree({ types }: HttpContext, operation: SuiteHttpOperation, parameter: SuiteParameter): boolean {
  const { required, location } = parameter;
  return !required && location === "query" && !isCursor(operation, parameter, types);
}

function parameterCases(
  context: HttpContext,
  operation: SuiteHttpOperation,
  base: Input,
  parameter: SuiteParameter,
): readonly PlannedCase[] {
  return validValues(context, operation, parameter).flatMap(({ name, value }) => {
    const input = { ...base, [parameter.property]: value };
    // What was refused when it was just found is judged here.
    const isKnown = findObservation(context, operation, input)?.judged.kind === "success";
    if (requestOf(operation, input) === undefined || isKnown) return [];
    if (context.accepted.has(acceptedKey(operation, parameter, value))) return [];
    const rule = ruleFor(parameter, value, context.types);
    return [
      caseOf(context, operation, {
        group: "boundary",
        name: `${kebabCase(parameter.property)}-${name}`,
        rule,
        expected: `a documented success for a ${parameter.name} within its bounds`,
        isLive: true,
        input,
        play: async (play) => judgeValid(context, play, await ask(context, play, operation, input), parameter, rule),
      }),
    ];
  });
}

/** Values of a parameter that its type or the description allows, those that say most first. */
function validValues(
  context: HttpContext,
  operation: SuiteHttpOperation,
  parameter: SuiteParameter,
): readonly NamedValue[] {
  // Bounds are the same in every run: what is found at them is known by a baseline.
  const random = createRandom(`${operation.name}/boundary/${parameter.property}`);
  const all = [
    ...shownValues(context, operation, parameter),
    ...allListed(parameter, context.types),
    ...boundaryValuesOf(parameter.type, context.types, random),
  ];
  // Other identifiers than those that were found are not there: that is looked at among the wrong ones. The least number may be there.
  const isIdentifying = parameter.location === "path" && !isListed(parameter, context.types);
  // Nor is a page after, or before, what nobody was shown.
  const isUnknown = isIdentifying || isCursor(operation, parameter, context.types);
  const { minimum } = integerBounds(parameter.type, context.types);
  return all
    .filter(
      ({ value }) =>
        (!isUnknown || value === minimum) &&
        !isUnwritten(parameter, value) &&
        !isShownToFail(operation, parameter, value, context.types),
    )
    .slice(0, mostValues);
}

/** An empty list has no form in a query: no name stands for nothing (RFC 6570, section 3.2.8), and servers read an empty text. */
function isUnwritten({ location }: SuiteParameter, value: unknown): boolean {
  return location === "query" && Array.isArray(value) && value.length === 0;
}

/** A value that the description lists, or that stands between documented bounds, has to be taken; of others nobody knows. */
function ruleFor(parameter: SuiteParameter, value: unknown, types: SuiteTypes): Rule {
  if (isListed(parameter, types) || isListOfListed(parameter, value, types)) return httpRules.validValue;
  if (value === defaultOf(parameter, types) || isShown(parameter, value)) return httpRules.validValue;
  const { minimum, maximum } = integerBounds(parameter.type, types);
  if (minimum !== undefined && value === minimum) return httpRules.validValue;
  if (minimum === undefined || maximum === undefined || typeof value !== "number") return httpRules.validValueLikely;
  // Who writes down both ends of a short range means all of it; `limit` may be as long as it likes.
  const isShort = maximum - minimum <= shortRange;
  return isShort || /limit|size|count|per.?page|^n$|page/i.test(parameter.name)
    ? httpRules.validValue
    : httpRules.validValueLikely;
}

/** Whether the description shows that a request with this value is refused. */
function isShownToFail(
  { examples }: SuiteHttpOperation,
  { property, type }: SuiteParameter,
  value: unknown,
  types: SuiteTypes,
): boolean {
  return examples.some(
    ({ input, outcome }) => outcome.kind === "failure" && isSameValue(type, input[property], value, types),
  );
}

/** Whether the description shows a value, of a parameter whose values do not come from answers. */
function isShown({ examples, type, name }: SuiteParameter, value: unknown): boolean {
  if (/cursor|token|marker|after|before|since|until|from|to$|id$|hash/i.test(name)) return false;
  const text = JSON.stringify(value, (_name, one: unknown) => (typeof one === "bigint" ? String(one) : one));
  return [...(examples ?? []), ...(type.examples ?? [])].some((one) => JSON.stringify(one) === text);
}

/** What the description shows of a parameter, and of those of the same name that other operations have. */
function shownValues(
  { types, operations }: HttpContext,
  { name: own }: SuiteHttpOperation,
  parameter: SuiteParameter,
): readonly NamedValue[] {
  const value = firstValid(parameter, parameter.examples ?? [], types);
  const shown = value === undefined ? [] : [{ name: "shown", value }];
  if (/cursor|token|marker|id$/i.test(parameter.name)) return shown;
  const others = [...operations.values()].flatMap((operation) =>
    operation.name === own ? [] : operation.parameters.filter(({ name }) => name === parameter.name),
  );
  const other = firstValid(
    parameter,
    others.flatMap(({ examples }) => examples ?? []),
    types,
  );
  return other === undefined || other === value ? shown : [...shown, { name: "shown-elsewhere", value: other }];
}

/** A list of all values that its elements may have, and of the last of them alone. */
function allListed(parameter: SuiteParameter, types: SuiteTypes): readonly NamedValue[] {
  const values = listedElements(parameter, types);
  if (values.length === 0) return [];
  const lists = [
    { name: "all-listed", value: values },
    { name: "last-listed", value: values.slice(-1) },
  ];
  return lists.filter(({ value }) => firstValid(parameter, [value], types) !== undefined);
}

function listedElements({ type }: SuiteParameter, types: SuiteTypes): readonly unknown[] {
  const lists = armsOf(type, types).flatMap((arm) => (arm.kind === "list" ? [arm] : []));
  const elements = lists.flatMap((list) => armsOf(list.element, types));
  const isClosed = elements.length > 0 && elements.every(({ kind }) => kind === "enumeration");
  return isClosed ? elements.flatMap((one) => (one.kind === "enumeration" ? one.values : [])) : [];
}

/** Elements that the description lists, each once: more than none of them. */
function isListOfListed(parameter: SuiteParameter, value: unknown, types: SuiteTypes): boolean {
  const listed = listedElements(parameter, types);
  if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length) return false;
  return value.every((one) => listed.includes(one));
}

function isListed({ type }: SuiteParameter, types: SuiteTypes): boolean {
  // In a query null is written by nothing.
  const arms = armsOf(type, types).filter(({ kind }) => kind !== "null");
  return arms.length > 0 && arms.every(({ kind }) => kind === "enumeration" || kind === "boolean");
}

/** What is not there may be answered so, with whatever value it was asked for. */
function judgeValid(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  parameter: SuiteParameter,
  rule: Rule,
): readonly Finding[] {
  skipUnjudged(context, play, observation);
  const { status } = observation.judged.answer;
  const isRefused = status >= 400 && status < 500;
  if (!isRefused) return successFindings(context, play, observation, rule);
  const isOtherAbsence = status === 410 && !documentsStatus(observation.operation, 410);
  if (isOtherAbsence && documentsStatus(observation.operation, 404)) {
    const message = "What is not there is answered with status 410 instead of 404";
    return [{ rule: propertyRules.notFound, message, ...withPlace(observation.operation.place) }];
  }
  if (status === 404 || status === 410)
    return observation.judged.findings.filter((finding) => finding.rule !== httpRules.failureStatus);
  const message = `Status ${status} for a ${parameter.name} that is within its bounds`;
  const refusal = { rule, message, ...detailOf(observation), ...withPlace(parameter.place ?? parameter.type.place) };
  return [refusal, ...observation.judged.findings.filter(({ rule: own }) => own === httpRules.failureBody)];
}

function bodyCases(context: HttpContext, operation: SuiteHttpOperation, base: Input): readonly PlannedCase[] {
  const content = operation.body?.contents.find((one) => one === contentOf(operation, base));
  if (content === undefined || content.type.kind === "bytes") return [];
  const random = context.session.random.fork(`${operation.name}/boundary/body`);
  return boundaryValuesOf(content.type, context.types, random)
    .slice(0, mostValues)
    .flatMap(({ name, value }) => {
      const input = { ...base, body: value };
      if (requestOf(operation, input) === undefined || wasSent(context, operation, input)) return [];
      return [
        caseOf(context, operation, {
          group: "boundary",
          name: `body-${name}`,
          rule: httpRules.validValueLikely,
          expected: "a documented success for a body of the documented type",
          isLive: true,
          input,
          play: async (play) => {
            const observation = await ask(context, play, operation, input);
            const { status } = observation.judged.answer;
            if ([404, 409, 410].includes(status)) return observation.judged.findings;
            return successFindings(context, play, observation, httpRules.validValueLikely);
          },
        }),
      ];
    });
}

/**
 * Random values of all that is optional at once, and every other time of what is required and names no thing too; a failure is made as
 * small as it can be before it is told.
 */
export function planRandom(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  const optional = operation.parameters.filter(({ required, location }) => !required && location !== "cookie");
  const needed = operation.parameters.filter(
    (parameter) => parameter.required && isPlainInput(parameter, context.types),
  );
  if (base === undefined || optional.length + needed.length === 0) return [];
  return Array.from({ length: randomInputs }, (_none, index) =>
    caseOf(context, operation, {
      group: "random",
      name: `inputs-${index + 1}`,
      rule: httpRules.validValueLikely,
      expected: "a documented answer to random values of the documented types",
      requests: 1 + leastShrinks,
      isLive: true,
      play: async (play) => {
        const input: Record<string, unknown> = { ...withoutOptional(operation, base) };
        const areAll = index % 2 === 1 || optional.length === 0;
        for (const parameter of areAll ? [...optional, ...needed] : optional) {
          const random = play.random.fork(parameter.property);
          const isGiven = random.next() < 0.7 || parameter.required;
          if (isGiven) input[parameter.property] = randomValueOf(parameter.type, context.types, random);
        }
        const observation = await ask(context, play, operation, input);
        const found = judgeRandom(context, play, observation);
        if (!isBroken(found)) return found;
        return shrinkInput(context, play, operation, { base, input, found });
      },
    }),
  );
}

/** Whether any value of a parameter's type may be sent: what stands in a path names a thing, unless all its values are known. */
function isPlainInput({ location, type }: SuiteParameter, types: SuiteTypes): boolean {
  if (location === "cookie") return false;
  if (location !== "path") return true;
  const { minimum, maximum } = integerBounds(type, types);
  return armsOf(type, types).every(
    ({ kind }) =>
      kind === "enumeration" ||
      kind === "boolean" ||
      (kind === "number" && minimum !== undefined && maximum !== undefined),
  );
}

/** Values that nobody documented in full may be refused; what comes has to be right all the same. */
function judgeRandom(context: HttpContext, play: CasePlay, observation: Observation): readonly Finding[] {
  const { status } = observation.judged.answer;
  skipUnjudged(context, play, observation);
  if (status >= 400 && status < 500)
    return observation.judged.findings.filter((finding) => finding.rule !== httpRules.failureStatus);
  return successFindings(context, play, observation, httpRules.validValueLikely);
}

async function shrinkInput(
  context: HttpContext,
  play: CasePlay,
  operation: SuiteHttpOperation,
  { base, input, found }: { readonly base: Input; readonly input: Input; readonly found: readonly Finding[] },
): Promise<readonly Finding[]> {
  const messages = new Set(found.map(({ message }) => message));
  const changed = operation.parameters.filter(
    ({ required, property }) => input[property] !== undefined && (!required || input[property] !== base[property]),
  );
  let smallest = input;
  let latest = found;
  let left = shrinkAllowance(context.session, operation.name, leastShrinks);
  const stillFails = async (candidate: Input): Promise<boolean> => {
    if (left <= 0 || requestOf(operation, candidate) === undefined) return false;
    left -= 1;
    const again = judgeRandom(context, play, await ask(context, play, operation, candidate));
    if (!again.some(({ message }) => messages.has(message))) return false;
    latest = again;
    smallest = candidate;
    return true;
  };
  for (const { property, required } of changed) {
    const { [property]: _left, ...others } = smallest;
    await stillFails(required && base[property] !== undefined ? { ...others, [property]: base[property] } : others);
  }
  for (const { property, type } of changed) {
    if (smallest[property] === undefined || left <= 0) continue;
    const at = smallest;
    await shrinkValue(type, context.types, at[property], (value) => stillFails({ ...at, [property]: value }), left);
  }
  const shown = showValue(Object.fromEntries(Object.entries(smallest).filter(([name, value]) => value !== base[name])));
  return latest.map((finding) => ({ ...finding, detail: `${finding.detail ?? finding.message}; for ${shown}` }));
}
