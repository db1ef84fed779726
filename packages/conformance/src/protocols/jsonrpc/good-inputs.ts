import { isNamedByHash } from "../../inference/lasting.ts";
import { likelyInputs, type SoughtOperation } from "../../properties/found.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { RpcContext } from "./rpc-context.ts";
import { isValueOf } from "@nodewright/api-values";
import { defaultOf, hasUnfilledGap, type Input } from "./rpc-params.ts";

/** The input that further cases of a method are made from; undefined where no call of it was answered with a result. */
export function goodInput({ session }: RpcContext, method: SuiteRpcMethod): Input | undefined {
  const inputs = session.live.goodInputsOf(method.name);
  // The smallest says most about a parameter that is added to it.
  return inputs.find((input) => Object.keys(input).length === requiredOf(method).length) ?? inputs[0];
}

/** An input that is of its types, whether it names something that is there or not. */
export function plausibleInput(context: RpcContext, method: SuiteRpcMethod): Input | undefined {
  const good = goodInput(context, method);
  if (good !== undefined) return good;
  const example = method.examples.find(({ outcome, params }) => outcome.kind === "success" && params === undefined);
  if (example !== undefined) return example.input;
  return likelyInputs(soughtMethod(context, method), 1)[0];
}

/** A method as those see it who look for its first good calls. */
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
 * An input as this target can be sent it. Where parameters are not taken by name, those that are left out before the last one that is given
 * get a value that is known of them; undefined where none is.
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

/** A value that says nothing, where the document allows one. */
function emptyOf({ suite }: RpcContext, { type }: SuiteParameter): unknown {
  return [null, {}].find((value) => isValueOf(type, value, suite.types, "request"));
}

/** A value that is known of a parameter. */
export function knownValueOf({ session }: RpcContext, method: SuiteRpcMethod, parameter: SuiteParameter): unknown {
  const ofExamples = method.examples.map((example) => example.input[parameter.property]);
  const ofResponses = session.live.valuesOf(method.name, parameter);
  const known = [defaultOf(parameter), ...(parameter.examples ?? []), ...ofExamples, ...ofResponses];
  return known.find((value) => value !== undefined && value !== null);
}

/** Whether a method always returns the same for an input: marked, or the input names what it is for by a hash. */
export function isLasting({ isImmutable, method }: SuiteRpcMethod, input: Input): boolean {
  return isImmutable ?? isNamedByHash(method, input);
}

/** Parameters without which a method can't be called. */
export function requiredOf({ parameters }: SuiteRpcMethod): readonly SuiteParameter[] {
  return parameters.filter(({ required }) => required);
}
