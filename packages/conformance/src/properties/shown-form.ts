import { canonicalText } from "@nodewright/api-model";
import { kindsIn, resolveType } from "../compare/member-facts.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import { isIdentifying } from "../inference/identifier-member.ts";
import { hasRoleName, type Parameter } from "../inference/list-roles.ts";
import { withPlace } from "../suite/with-place.ts";
import { isValueOf } from "@nodewright/api-values";
import type { Input, OperationDescription } from "./operation.ts";
import type { Problem } from "./property.ts";

/** Reports a result that matches another arm of its union than the examples for the requested form. */
export function shownFormProblems(operation: OperationDescription, input: Input, value: unknown): readonly Problem[] {
  const { types, examples = [], place } = operation;
  const resolved = resolveType(operation.result, types);
  if (resolved?.kind !== "union" || value === null) return [];
  const armsWith = (one: unknown): readonly number[] =>
    resolved.members.flatMap((type, arm) => (isValueOf(type, one, types, "response") ? [arm] : []));
  const parameters = formParameters(operation);
  const distinctive = examples.filter((one) => one.value !== null);
  const forms = Map.groupBy(distinctive, (one) => formOf(parameters, one.input));
  const shown = new Map([...forms].map(([form, some]) => [form, new Set(some.flatMap((one) => armsWith(one.value)))]));
  const wanted = shown.get(formOf(parameters, input));
  if (wanted === undefined || !isPicked([...shown.values()]) || armsWith(value).some((arm) => wanted.has(arm)))
    return [];
  const names = parameters.map(({ name }) => name).join(", ");
  const message = `the result is not of the form that examples show for this ${names}`;
  return [{ message, detail: showValue(value), ...withPlace(parameters[0]?.place ?? place) }];
}

/** Whether the parameters decide about the arm: there are two forms without a common arm. */
function isPicked(shown: readonly ReadonlySet<number>[]): boolean {
  return shown.some((left, index) => shown.slice(index + 1).some((right) => [...left].every((arm) => !right.has(arm))));
}

/** Names of numbers that select the form of a result. */
const formingName = /verb|format|mode|level|detail|kind|type|full|version|form$/;

/**
 * Returns parameters that select the form of a result and not its subject: booleans, enumerations, and numbers with names such as
 * `verbosity`.
 */
function formParameters({ parameters, types }: OperationDescription): readonly Parameter[] {
  return parameters.filter((parameter) => {
    if (isIdentifying(parameter) && !formingName.test(plainName(parameter.name))) return false;
    if (hasRoleName("limit", parameter.name)) return false;
    const kinds = kindsIn(parameter.type, types);
    // An enumeration next to other strings, such as `latest` or a height, identifies an object.
    if (kinds.has("string")) return false;
    return (
      kinds.has("boolean") ||
      kinds.has("enumeration") ||
      (kinds.has("number") && formingName.test(plainName(parameter.name)))
    );
  });
}

/** Returns the form that an input requests, as a string; defaults replace omitted parameters. */
function formOf(parameters: readonly Parameter[], input: Input): string {
  return canonicalText(
    parameters.map(({ property, default: own, type }) => input[property] ?? own ?? type.default ?? null),
  );
}
