import { writeRpcParameters } from "@nodewright/runtime";
import { isWaiting } from "../../inference/name-meaning.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { isValueOf } from "@nodewright/api-values";
import type { RpcParams } from "./rpc-request.ts";

/** An input of a method: wire values by property. */
export type Input = Readonly<Record<string, unknown>>;

/** Way of writing parameters. */
export type ParamsStyle = "by-position" | "by-name";

/** Returns the way in which a method is called by default. */
export function plainStyle(method: SuiteRpcMethod, input: Input): ParamsStyle {
  if (method.parameterStructure === "by-name") return "by-name";
  if (method.parameterStructure === "by-position") return "by-position";
  return hasUnfilledGap(method.parameters, input) ? "by-name" : "by-position";
}

/**
 * Returns the `params` of an input. By position, an argument that is omitted before a given one is written as its default, or as null when
 * it has none. A call that waits for an event is written to return at once, unless the document shows otherwise.
 */
export function paramsOf(
  method: SuiteRpcMethod,
  input: Input,
  style: ParamsStyle = plainStyle(method, input),
): RpcParams {
  const { parameters } = method;
  const sent = withShortWait(method, input, style);
  if (style === "by-name") {
    const given = parameters.filter(({ property }) => sent[property] !== undefined);
    return Object.fromEntries(given.map(({ name, property }) => [name, sent[property]]));
  }
  return writeRpcParameters(parameters, filledGaps(parameters, sent));
}

/** Limits how long a call waits: a run would otherwise wait as long as the server lets it, which in Bitcoin Core is forever. */
function withShortWait(method: SuiteRpcMethod, input: Input, style: ParamsStyle): Input {
  const waiting = method.parameters.find(isWaiting);
  if (waiting === undefined || method.examples.some((example) => example.input === input)) return input;
  const given = input[waiting.property];
  // An invalid time is to be refused, and must be sent unchanged.
  if (given !== undefined && (Number(given) < 0 || !isValueOf(waiting.type, given, {}, "request"))) return input;
  const short = { ...input, [waiting.property]: 1 };
  return style === "by-position" && hasUnfilledGap(method.parameters, short) ? input : short;
}

/** Returns the default of a parameter, when the document has one. */
export function defaultOf({ default: value, type }: SuiteParameter): unknown {
  return value === undefined ? type.default : value;
}

function filledGaps(parameters: readonly SuiteParameter[], input: Input): Input {
  const last = lastGiven(parameters, input);
  const filled: Record<string, unknown> = {};
  for (const [position, parameter] of parameters.entries()) {
    if (position > last) break;
    const value = input[parameter.property] ?? defaultOf(parameter);
    // An input may contain null itself.
    filled[parameter.property] = input[parameter.property] === null ? null : value;
  }
  return filled;
}

/** Returns whether a parameter without a documented default is omitted by position, where only null could be written. */
export function hasUnfilledGap(parameters: readonly SuiteParameter[], input: Input): boolean {
  const last = lastGiven(parameters, input);
  return parameters
    .slice(0, Math.max(0, last))
    .some((parameter) => input[parameter.property] === undefined && defaultOf(parameter) === undefined);
}

function lastGiven(parameters: readonly SuiteParameter[], input: Input): number {
  return parameters.findLastIndex(({ property }) => input[property] !== undefined);
}
