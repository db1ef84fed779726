import { writeRpcParameters } from "@nodewright/runtime";
import { isWaiting } from "../../inference/name-meaning.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { isValueOf } from "@nodewright/api-values";
import type { RpcParams } from "./rpc-request.ts";

/** An input of a method: wire values by property. */
export type Input = Readonly<Record<string, unknown>>;

/** How parameters are written. */
export type ParamsStyle = "by-position" | "by-name";

/** The way in which a method is called where a case does not say otherwise. */
export function plainStyle(method: SuiteRpcMethod, input: Input): ParamsStyle {
  if (method.parameterStructure === "by-name") return "by-name";
  if (method.parameterStructure === "by-position") return "by-position";
  return hasUnfilledGap(method.parameters, input) ? "by-name" : "by-position";
}

/**
 * The `params` of an input. By position, an argument that is left out before one that is given is written as its default, or as null
 * where it has none. A call that waits for something is written so that it returns at once, unless the document shows it.
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

/** A run would stand still for as long as a server lets each of its calls wait, which in Bitcoin Core is for ever. */
function withShortWait(method: SuiteRpcMethod, input: Input, style: ParamsStyle): Input {
  const waiting = method.parameters.find(isWaiting);
  if (waiting === undefined || method.examples.some((example) => example.input === input)) return input;
  const given = input[waiting.property];
  // What is no such time is refused, and has to be sent as it is.
  if (given !== undefined && (Number(given) < 0 || !isValueOf(waiting.type, given, {}, "request"))) return input;
  const short = { ...input, [waiting.property]: 1 };
  return style === "by-position" && hasUnfilledGap(method.parameters, short) ? input : short;
}

/** What stands for a parameter that is left out, where the document says so. */
export function defaultOf({ default: value, type }: SuiteParameter): unknown {
  return value === undefined ? type.default : value;
}

function filledGaps(parameters: readonly SuiteParameter[], input: Input): Input {
  const last = lastGiven(parameters, input);
  const filled: Record<string, unknown> = {};
  for (const [position, parameter] of parameters.entries()) {
    if (position > last) break;
    const value = input[parameter.property] ?? defaultOf(parameter);
    // An input may hold null itself.
    filled[parameter.property] = input[parameter.property] === null ? null : value;
  }
  return filled;
}

/** Whether something is left out by position for which the document has no default: only null could stand there. */
export function hasUnfilledGap(parameters: readonly SuiteParameter[], input: Input): boolean {
  const last = lastGiven(parameters, input);
  return parameters
    .slice(0, Math.max(0, last))
    .some((parameter) => input[parameter.property] === undefined && defaultOf(parameter) === undefined);
}

function lastGiven(parameters: readonly SuiteParameter[], input: Input): number {
  return parameters.findLastIndex(({ property }) => input[property] !== undefined);
}
