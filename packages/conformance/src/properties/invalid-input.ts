import { acceptedText } from "../compare/accepted-value.ts";
import { armsOf } from "../compare/member-facts.ts";
import { hasManyParameters } from "../inference/many-parameters.ts";
import type { Parameter } from "../inference/list-roles.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { withPlace } from "../suite/with-place.ts";
import { type KindName, kindOf, kindsOf } from "@nodewright/api-model";
import { interleave, type InvalidValue, invalidValuesOf, kebabCase, UniqueNames } from "@nodewright/api-values";
import { expectedCase, type InputCase, type InputOperation } from "./input-operation.ts";
import type { Expectation, ExpectedCall, Input } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";

/** Maximum number of values to send: of one parameter, of an object, and of each of many parameters. */
const mostValues = 6;
const mostOfRecord = 6;
const mostOfMany = 2;

/** Returns the most important cases: one invalid value of each parameter, and each missing required parameter. */
export function certainInvalidInputs(operation: InputOperation): readonly InputCase[] {
  const first = valuesOfEach(operation).flatMap(([value]) => (value === undefined ? [] : [value]));
  return [...first, ...missingCases(operation)];
}

/** Returns cases with further invalid values, and with a parameter that the description does not have. */
export function furtherInvalidInputs(operation: InputOperation): readonly InputCase[] {
  const [most, ...others] = valuesOfEach(operation).map(([, ...further]) => further);
  const all = most === undefined ? [] : interleave([most, ...others]);
  return [...all.slice(0, 2), ...surplusCases(operation), ...all.slice(2)];
}

function valuesOfEach(operation: InputOperation): readonly (readonly InputCase[])[] {
  return operation.parameters.map((parameter) => valueCases(operation, parameter));
}

function valueCases(operation: InputOperation, parameter: Parameter): readonly InputCase[] {
  const { base = {}, types } = operation;
  const { property, name } = parameter;
  const type = operation.strictTypeOf(parameter);
  const names = new UniqueNames();
  const sent = new Set<string>();
  const isRecord = armsOf(type, types).some(({ kind }) => kind === "record");
  const most = isRecord ? mostOfRecord : hasManyParameters(operation) ? mostOfMany : mostValues;
  const checked = invalidValuesOf(type, types, base[property]).flatMap((one) => {
    const certainty = operation.invalidity(parameter, one.value);
    const input = { ...base, [property]: one.value };
    const request = operation.requestOf(input);
    if (certainty === undefined || request === undefined || sent.has(request)) return [];
    sent.add(request);
    return [{ ...one, certainty, input }];
  });
  return byCertainty(checked, type, types)
    .slice(0, most)
    .map(({ name: kind, value, keyword, place, certainty, input }) =>
      refusedCase(operation, names.take(`${kebabCase(property)}-${kind}`), input, {
        certainty,
        subject: `A value of ${name} that breaks its ${keyword}`,
        accepted: `${name}: ${acceptedText(type, value, types)}`,
        parameter,
        ...withPlace(place ?? parameter.place),
      }),
    );
}

interface Invalid extends InvalidValue {
  readonly certainty: "documented" | "likely";
}

/**
 * Orders values round-robin by reason: one of each reason, then a second one, and so on. Reasons that servers check least come first, other
 * JSON types later.
 */
function byCertainty<Value extends Invalid>(
  values: readonly Value[],
  type: SuiteType,
  types: SuiteTypes,
): readonly Value[] {
  const kinds = kindsOf(type, (target) => types[target]);
  const reasonOf = ({ value, keyword, certainty }: Value): string => {
    if (value === null) return "null";
    return kinds?.has(kindOf(value) as KindName) !== false ? keyword : `${certainty} kind`;
  };
  // Servers rarely check undeclared members; most of them check JSON types.
  const order = ["additionalProperties", "", "documented kind", "likely kind", "null"];
  const combinationOf = ([reason]: readonly [string, readonly Value[]]): number =>
    order.includes(reason) ? order.indexOf(reason) : order.indexOf("");
  const groups = [...Map.groupBy(values, reasonOf)];
  return interleave(
    groups.toSorted((left, right) => combinationOf(left) - combinationOf(right)).map(([, group]) => group),
  );
}

function missingCases(operation: InputOperation): readonly InputCase[] {
  const { base = {}, parameters } = operation;
  return parameters
    .filter(({ required }) => required)
    .flatMap((parameter) => {
      const { property, name } = parameter;
      const input = Object.fromEntries(Object.entries(base).filter(([key]) => key !== property));
      if (operation.requestOf(input) === undefined) return [];
      const expectation = {
        certainty: operation.invalidity(parameter, undefined) ?? "likely",
        subject: `A call without the required ${name}`,
        accepted: `no ${name} was sent; the description requires it`,
        parameter,
      } as const;
      return [refusedCase(operation, `${kebabCase(property)}-missing`, input, expectation)];
    });
}

function surplusCases(operation: InputOperation): readonly InputCase[] {
  const { surplus, base } = operation;
  if (surplus === undefined || base === undefined) return [];
  const subject = "A call with a parameter that the description does not have";
  const accepted = "a further parameter was accepted; the description has none of the kind";
  return [
    refusedCase(operation, "surplus-parameter", base, { certainty: surplus, subject, accepted, isSurplus: true }),
  ];
}

function refusedCase(
  operation: InputOperation,
  name: string,
  input: Input,
  expectation: Omit<Expectation, "kind" | "rule">,
): InputCase {
  const isSurplus = expectation.isSurplus === true;
  const heuristic = isSurplus ? propertyRules.surplusInput : propertyRules.invalidInputHeuristic;
  const rule = expectation.certainty === "documented" ? propertyRules.invalidInput : heuristic;
  const call: ExpectedCall = { input, expectation: { kind: "refused", rule, ...expectation } };
  return expectedCase(operation, call, {
    group: "negative",
    name,
    expected: "an error, as the input is invalid",
    ...(isSurplus ? {} : { input }),
    requests: 1,
  });
}
