import { isNamedByHash } from "../../inference/lasting.ts";
import { probableInputs, type SoughtOperation } from "../../properties/found.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { RpcContext } from "./rpc-context.ts";
import { isValueOf } from "@nodewright/api-values";
import { defaultOf, hasUnfilledGap, type Input } from "./rpc-params.ts";

/** Returns the input that further cases of a method are derived from; `undefined` when no call of it had a result. */
export function goodInput({ session }: RpcContext, method: SuiteRpcMethod): Input | undefined {
  const inputs = session.live.goodInputsOf(method.name);
  // The smallest input shows the effect of an additional parameter best.
  return inputs.find((input) => Object.keys(input).length === requiredOf(method).length) ?? inputs[0];
}

/** Returns an input that matches its types, whether or not the object that it names exists. */
export function plausibleInput(context: RpcContext, method: SuiteRpcMethod): Input | undefined {
  const good = goodInput(context, method);
  if (good !== undefined) return good;
  const example = method.examples.find(({ outcome, params }) => outcome.kind === "success" && params === undefined);
  if (example !== undefined) return example.input;
  return probableInputs(soughtMethod(context, method), 1)[0];
}

/** Returns a method as an operation for which good calls are searched. */
export function soughtMethod(context: RpcContext, method: SuiteRpcMethod): SoughtOperation {
  const { session, suite } = context;
  return {
    name: method.name,
    parameters: method.parameters,
    types: suite.types,
    operations: suite.operations,
    live: session.live,
    random: session.random,
  };
}

/**
 * Returns an input in a form that this target accepts. When parameters are not accepted by name, those omitted before the last given one
 * get a known value; `undefined` when one has none.
 */
export function sendableInput(context: RpcContext, method: SuiteRpcMethod, input: Input): Input | undefined {
  const { refusedStyles, takenStyles } = context;
  const isPositional = method.parameterStructure === "by-position";
  const takesNames = !isPositional && (takenStyles.has("by-name") || !refusedStyles.has("by-name"));
  if (takesNames || method.parameterStructure === "by-name" || !hasUnfilledGap(method.parameters, input)) return input;
  const filled: Record<string, unknown> = { ...input };
  const last = method.parameters.findLastIndex(({ property }) => input[property] !== undefined);
  for (const parameter of method.parameters.slice(0, last)) {
    if (filled[parameter.property] !== undefined) continue;
    const known = knownValueOf(context, method, parameter);
    const value = known === undefined && isPositional ? emptyOf(context, parameter) : known;
    if (value === undefined) return undefined;
    filled[parameter.property] = value;
  }
  return filled;
}

/** Returns an empty value (null or `{}`) when the document allows one. */
function emptyOf({ suite }: RpcContext, { type }: SuiteParameter): unknown {
  return [null, {}].find((value) => isValueOf(type, value, suite.types, "request"));
}

/** Returns a known value of a parameter. */
export function knownValueOf({ session }: RpcContext, method: SuiteRpcMethod, parameter: SuiteParameter): unknown {
  const ofExamples = method.examples.map((example) => example.input[parameter.property]);
  const ofResponses = session.live.valuesOf(method.name, parameter);
  const known = [defaultOf(parameter), ...(parameter.examples ?? []), ...ofExamples, ...ofResponses];
  return known.find((value) => value !== undefined && value !== null);
}

/**
 * Returns whether a method always returns the same result for an input: it is declared immutable, or a hash in the input identifies the
 * result.
 */
export function isPermanent({ isImmutable, method }: SuiteRpcMethod, input: Input): boolean {
  return isImmutable ?? isNamedByHash(method, input);
}

/** Returns the required parameters. */
export function requiredOf({ parameters }: SuiteRpcMethod): readonly SuiteParameter[] {
  return parameters.filter(({ required }) => required);
}
