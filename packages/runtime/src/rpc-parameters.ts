import type { ParameterFacts, RpcOperation } from "./operation.ts";
import { ownMember } from "./own-member.ts";
import type { RpcRequest } from "./rpc-request.ts";
import type { Violation } from "./violation.ts";

/** Wire values by property, with what does not fit the method's parameters at all. */
export interface ReadParameters {
  readonly values: Readonly<Record<string, unknown>>;
  readonly violations: readonly Violation[];
}

/**
 * Reads positional or named parameters into an input. A null stands for an argument left out unless null is one of its values;
 * defaults are filled in.
 */
export function readRpcParameters(parameters: readonly ParameterFacts[], params: RpcRequest["params"]): ReadParameters {
  const violations = isPositional(params) ? surplus(parameters, params) : unknownNames(parameters, params);
  const values: Record<string, unknown> = {};
  for (const [position, facts] of parameters.entries()) {
    const sent = isPositional(params) ? params[position] : ownMember(params, facts.name);
    const value = sent === undefined || (sent === null && isLeftOut(facts)) ? facts.default : sent;
    if (value !== undefined) values[facts.property] = value;
  }
  return { values, violations };
}

/** Positional parameters of an input, without the optional ones at the end that were left out; null stands for those before. */
export function writeRpcParameters(
  parameters: readonly ParameterFacts[],
  values: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const positional = parameters.map((facts) => ownMember(values, facts.property));
  const last = positional.findLastIndex((value) => value !== undefined);
  return positional.slice(0, last + 1).map((value) => (value === undefined ? null : value));
}

/**
 * The `params` of a request: by name where the document asks for it, and where it leaves the choice and an argument was left out before
 * one that was not; by position otherwise.
 */
export function writeRpcArguments(
  { parameters, parameterStructure = "either" }: Pick<RpcOperation, "parameters" | "parameterStructure">,
  values: Readonly<Record<string, unknown>>,
): readonly unknown[] | Readonly<Record<string, unknown>> {
  const isNamed = parameterStructure === "by-name" || (parameterStructure === "either" && hasGap(parameters, values));
  if (!isNamed) return writeRpcParameters(parameters, values);
  const present = parameters.filter(({ property }) => ownMember(values, property) !== undefined);
  return Object.fromEntries(present.map(({ name, property }) => [name, ownMember(values, property)]));
}

function hasGap(parameters: readonly ParameterFacts[], values: Readonly<Record<string, unknown>>): boolean {
  const first = parameters.findIndex(({ property }) => ownMember(values, property) === undefined);
  return first >= 0 && parameters.slice(first).some(({ property }) => ownMember(values, property) !== undefined);
}

function isPositional(params: RpcRequest["params"]): params is readonly unknown[] {
  return Array.isArray(params);
}

function isLeftOut(facts: ParameterFacts): boolean {
  return !facts.required && facts.nullable !== true;
}

function surplus(parameters: readonly ParameterFacts[], params: readonly unknown[]): readonly Violation[] {
  if (params.length <= parameters.length) return [];
  const message = `must have at most ${parameters.length} parameters`;
  return [{ pointer: `/${parameters.length}`, keyword: "maxItems", message }];
}

/** Bounded, because a caller may send any number of them. */
const reportedNames = 10;

function unknownNames(
  parameters: readonly ParameterFacts[],
  params: Readonly<Record<string, unknown>>,
): readonly Violation[] {
  const known = new Set(parameters.map(({ name }) => name));
  return Object.keys(params)
    .filter((name) => !known.has(name))
    .slice(0, reportedNames)
    .map((name) => ({
      pointer: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      keyword: "additionalProperties",
      message: "must be the name of a parameter",
    }));
}
