import type { ParameterFacts, RpcOperation } from "./operation.ts";
import { ownMember } from "../json/own-member.ts";
import type { RpcRequest } from "./rpc-request.ts";
import type { Violation } from "../errors/violation.ts";

/** Wire values by property, with the values that do not match the method's parameters at all. */
export interface ReadParameters {
  readonly values: Readonly<Record<string, unknown>>;
  readonly violations: readonly Violation[];
}

/** Aliases of parameters: by method, and there by the alias. */
export type ParameterAliases = Readonly<Record<string, Readonly<Record<string, string>>>>;

const none: readonly Violation[] = [];

/**
 * Returns the parameters of a call under the document's names for them. An alias of a parameter that is also present under its own name
 * stays.
 */
export function withDocumentNames(
  method: string,
  params: RpcRequest["params"],
  aliases: ParameterAliases | undefined,
): RpcRequest["params"] {
  const names = aliases === undefined || isPositional(params) ? undefined : ownMember(aliases, method);
  if (names === undefined || isPositional(params) || !Object.keys(names).some((name) => Object.hasOwn(params, name))) {
    return params;
  }
  const documentName = (sent: string): string => {
    const name = ownMember(names, sent);
    return name === undefined || Object.hasOwn(params, name) ? sent : name;
  };
  return Object.fromEntries(Object.entries(params).map(([sent, value]) => [documentName(sent), value]));
}

/**
 * Reads positional or named parameters into an input. A null stands for an omitted argument unless null is one of its values; defaults are
 * filled in. Where `positionalMember` is given, named parameters may contain the first ones in a list of that name.
 */
export function readRpcParameters(
  parameters: readonly ParameterFacts[],
  params: RpcRequest["params"],
  positionalMember?: string,
): ReadParameters {
  if (!isPositional(params)) return readNamed(parameters, params, positionalMember);
  const violations = surplus(parameters, params);
  return { values: valuesOf(parameters, (_facts, position) => params[position]), violations };
}

function readNamed(
  parameters: readonly ParameterFacts[],
  params: Readonly<Record<string, unknown>>,
  positionalMember: string | undefined,
): ReadParameters {
  const leading = leadingParameters(parameters, params, positionalMember);
  const named = (facts: ParameterFacts): unknown => ownMember(params, facts.name);
  if (leading === undefined) {
    return { values: valuesOf(parameters, named), violations: unknownNames(parameters, params, undefined) };
  }
  return {
    values: valuesOf(parameters, (facts, position) => (position < leading.length ? leading[position] : named(facts))),
    violations: [
      ...unknownNames(parameters, params, positionalMember),
      ...surplus(parameters, leading),
      ...givenTwice(parameters, params, leading),
    ],
  };
}

/**
 * Returns the list of parameters by position among named ones, as in Bitcoin Core's member `args`. None where a parameter has that name
 * itself.
 */
function leadingParameters(
  parameters: readonly ParameterFacts[],
  params: Readonly<Record<string, unknown>>,
  positionalMember: string | undefined,
): readonly unknown[] | undefined {
  if (positionalMember === undefined || parameters.some(({ name }) => name === positionalMember)) return undefined;
  const list = ownMember(params, positionalMember);
  return Array.isArray(list) ? list : undefined;
}

/** Returns parameters by name, including those that are given by position. */
export function namedParameters(
  parameters: readonly ParameterFacts[],
  params: RpcRequest["params"],
  positionalMember: string | undefined,
): RpcRequest["params"] {
  if (isPositional(params)) return params;
  const leading = leadingParameters(parameters, params, positionalMember);
  if (leading === undefined) return params;
  const given = parameters.flatMap(({ name }, position) =>
    position < leading.length ? [[name, leading[position]]] : [],
  );
  return { ...params, ...Object.fromEntries(given) };
}

function valuesOf(
  parameters: readonly ParameterFacts[],
  sentFor: (facts: ParameterFacts, position: number) => unknown,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  let position = 0;
  for (const facts of parameters) {
    const sent = sentFor(facts, position);
    const value = sent === undefined || (sent === null && isLeftOut(facts)) ? facts.default : sent;
    if (value !== undefined) values[facts.property] = value;
    position += 1;
  }
  return values;
}

/** Returns the positional parameters of an input, without optional ones at the end that were omitted; null stands for those before. */
export function writeRpcParameters(
  parameters: readonly ParameterFacts[],
  values: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const positional = parameters.map((facts) => ownMember(values, facts.property));
  const last = positional.findLastIndex((value) => value !== undefined);
  return positional.slice(0, last + 1).map((value) => (value === undefined ? null : value));
}

/**
 * Returns the `params` of a request: by name where the document requires it, and where it allows both and an argument was omitted before
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
  if (params.length <= parameters.length) return none;
  const message = `must have at most ${parameters.length} parameters`;
  return [{ pointer: `/${parameters.length}`, keyword: "maxItems", message }];
}

/** Maximum number of reported names, because a client may send any number of them. */
const reportedNames = 10;

function unknownNames(
  parameters: readonly ParameterFacts[],
  params: Readonly<Record<string, unknown>>,
  positionalMember: string | undefined,
): readonly Violation[] {
  const known = new Set(parameters.map(({ name }) => name));
  if (positionalMember !== undefined) known.add(positionalMember);
  return Object.keys(params)
    .filter((name) => !known.has(name))
    .slice(0, reportedNames)
    .map((name) => ({
      pointer: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      keyword: "additionalProperties",
      message: "must be the name of a parameter",
    }));
}

/** Keyword of a parameter that is given by position and by name. */
const givenTwiceKeyword = "givenTwice";

function givenTwice(
  parameters: readonly ParameterFacts[],
  params: Readonly<Record<string, unknown>>,
  leading: readonly unknown[],
): readonly Violation[] {
  return parameters
    .slice(0, leading.length)
    .filter(({ name }) => ownMember(params, name) !== undefined)
    .map(({ property }) => ({
      pointer: `/${property}`,
      keyword: givenTwiceKeyword,
      message: "must not be given by position and by name",
    }));
}
