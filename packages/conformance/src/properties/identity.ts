import { escapeSegment, isRecord } from "@nodewright/api-model";
import { isIdentifier } from "../compare/list-of.ts";
import { membersOf } from "../compare/member-facts.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import { declaredName, typeOfValue } from "../inference/declared-names.ts";
import { identifierMemberOf, isIdentifying, maySameIdentify } from "../inference/identifier-member.ts";
import type { Parameter } from "../inference/list-roles.ts";
import type { Lookup } from "../inference/lookups.ts";
import { isLoose } from "../inference/name-meaning.ts";
import { isValueOf, kebabCase } from "@nodewright/api-values";
import { inputOf } from "./embedded.ts";
import type { Operation, OperationDescription } from "./operation.ts";
import type { CalledResult, CrossCheck, CrossProperty, Problem, Related, ResponseProperty } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that an object that is called for by its identifier has this identifier. */
export const identityProperty: ResponseProperty = { rule: propertyRules.identity, inspect };

function inspect(operation: OperationDescription, { input, result: { value } }: CalledResult): readonly Problem[] {
  if (!isRecord(value)) return [];
  return operation.parameters.flatMap((parameter): readonly Problem[] => {
    const wanted = input[parameter.property];
    const member = memberFor(operation, parameter, value, wanted);
    if (member === undefined || maySameIdentify(wanted, value[member])) return [];
    const isLinked = operation.linked?.[parameter.property] === member;
    const problems = otherThanCalledFor(operation, parameter, wanted, member, value[member]);
    return isLinked ? problems.map((one) => ({ ...one, rule: propertyRules.linkedIdentity })) : problems;
  });
}

function memberFor(
  operation: OperationDescription,
  parameter: Parameter,
  value: Readonly<Record<string, unknown>>,
  wanted: unknown,
): string | undefined {
  if (!parameter.required && (isLoose(parameter.name) || parameter.property !== operation.key)) return undefined;
  const names = Object.keys(value);
  // Where the call names a further object that the result does not identify, the result may describe an object that belongs to that one.
  const last = operation.parameters.filter((one) => one.required && isIdentifying(one)).at(-1);
  const isOfAnother =
    last !== undefined && last !== parameter && identifierMemberOf(operation, last, names) === undefined;
  return isOfAnother ? undefined : identifierMemberOf(operation, parameter, names, wanted);
}

/**
 * Returns the problem that a member of a result differs from the parameter that it repeats, unless an example of the description shows such
 * a difference.
 */
export function otherThanCalledFor(
  { examples = [] }: OperationDescription,
  { name, property }: Parameter,
  wanted: unknown,
  member: string,
  actual: unknown,
): readonly Problem[] {
  const isShownOtherwise = examples.some(
    ({ input, value }) =>
      isRecord(value) && input[property] !== undefined && !maySameIdentify(input[property], value[member]),
  );
  const message = `${member} is not the ${name} of the call`;
  const detail = `${member} is ${showValue(actual)}, ${name} was ${showValue(wanted)}`;
  return isShownOtherwise ? [] : [{ message, detail, pointer: `/${escapeSegment(member)}` }];
}

/**
 * Property that the object that an operation's result refers to exists and has the value of the call: the hash at a height has to be that
 * of a block at this height.
 */
export const inverseProperty: CrossProperty = { name: "inverse", rule: propertyRules.identity, checks };

/** Names of members that distinguish an object from others of its type: a reference in such an object refers to another object. */
const ownName = /(?:id|hash|number|height|index|uuid|key)$/;
const distinctiveLength = 16;

function* checks({ operations, lookups }: Related): Generator<CrossCheck> {
  for (const source of operations) {
    const [parameter, ...others] = source.parameters.filter(({ required }) => required);
    if (parameter === undefined || others.length > 0) continue;
    for (const lookup of lookups) if (lookup.operation !== source) yield* inverseOf(source, parameter, lookup);
  }
}

function* inverseOf(source: Operation, parameter: Parameter, lookup: Lookup<Operation>): Generator<CrossCheck> {
  const { operation } = lookup;
  const { name, property } = parameter;
  const members = membersOf(operation.result, operation.types).map((one) => one.name);
  const back = members.find((one) => plainName(one) === plainName(name));
  const known = source.known.filter(({ value }) => linkIn(source, value, parameter, lookup) !== undefined);
  if (back === undefined || back === lookup.member || known.length === 0) return;
  // A server that returns one result for all inputs is right for one of them.
  const inputs = [...known.slice(0, 1), ...known.slice(-1)].map(({ input }) => input);
  yield {
    operation: source,
    name: `found-by-${kebabCase(operation.name)}`,
    expected: `the ${name} of the call in the object that ${operation.origin} returns`,
    guess: `the result of ${source.origin} is taken to contain the ${lookup.parameter.name} of ${operation.origin}`,
    inputs,
    verify: async (call) => {
      for (const input of inputs) {
        const [named] = await call(source, input);
        const link = linkIn(source, named.value, parameter, lookup);
        if (link === undefined) continue;
        const [{ value, isAbsent }] = await call(operation, inputOf(lookup, link));
        if (isAbsent === true)
          return [
            {
              message: `${operation.origin} does not find the object that the result refers to`,
              rule: propertyRules.found,
            },
          ];
        const [wanted, actual] = [input[property], isRecord(value) ? value[back] : undefined];
        if (actual === undefined || maySameIdentify(wanted, actual)) continue;
        const message = `the object that ${operation.origin} returns has another ${back}`;
        return [{ message, detail: `${showValue(actual)}, ${name} was ${showValue(wanted)}` }];
      }
      return [];
    },
  };
}

/** Names of identifiers that objects of any type have. */
const genericName = /^(?:id|uuid|hash|key|code|name|slug|url|uri)$/;

/** Returns the identifier that a result is, or has in a member with the name of the lookup's parameter. */
function linkIn(
  source: Operation,
  value: unknown,
  { name }: Parameter,
  { operation, parameter, member, names }: Lookup<Operation>,
): unknown {
  const isValid = (one: unknown): boolean =>
    isIdentifier(one) && isValueOf(parameter.type, one, operation.types, "request");
  if (isRecord(value)) {
    const plain = plainName(parameter.name);
    // An object's own identifier, also of one of several types that a result may have, is that of its type.
    const own = value["__typename"] ?? declaredName(typeOfValue(source.result, value, source.types), source.types);
    if (genericName.test(plain) && typeof own === "string" && names.size > 0 && !names.has(own)) return undefined;
    const isOwn = ownName.test(plainName(name)) || plain === plainName(name);
    return Object.keys(value)
      .filter((one) => !isOwn && plainName(one) === plain)
      .map((one) => value[one])
      .find(isValid);
  }
  const forms = operation.known.map((one) => (isRecord(one.value) ? one.value[member] : undefined));
  return isValid(value) && forms.some((form) => isSameForm(form, value)) ? value : undefined;
}

/** Whether two identifiers have the same form: strings of equal length, or numbers. */
function isSameForm(left: unknown, right: unknown): boolean {
  if (typeof left !== "string" || typeof right !== "string")
    return typeof left === "number" && typeof right === "number";
  return left.length === right.length && left.length >= distinctiveLength;
}
