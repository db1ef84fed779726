import type { ServiceError, Violation } from "@nodewright/runtime";
import type { Command, CommandReference, CommandValue } from "./description/command-reference.ts";
import { renderCommandHelp } from "./command/help-text.ts";
import { findListProblem } from "./parameters/find-list-problem.ts";
import { findLocatorProblem, findOutputProblem, findProofProblem } from "./parameters/find-transaction-problem.ts";
import { findOutputsProblem } from "./mempool/find-outputs-problem.ts";
import { findRawTransactionProblem } from "./raw-transaction/find-parameter-problem.ts";
import {
  hashProblem,
  integerProblem,
  isNumber,
  truncate,
  typeName,
  typeProblem as wrongTypes,
} from "./parameters/parameter-problems.ts";
import { invalidAmount, satoshiOf } from "./raw-transaction/amount.ts";
import { aboutParameters, rpcError } from "./parameters/rpc-error.ts";
import { findRangeProblem, findScanProblem } from "./scan/find-scan-problem.ts";
import { findBlockProblem } from "./statistics/find-block-problem.ts";

/** Function that creates the error for parameters that are not valid for a method; for the generated server's `invalidParameters`. */
export type ParameterRefusal = (method: string, violations: readonly Violation[], params: unknown) => ServiceError;

/** One invalid parameter, with its value. */
interface Misfit {
  /** Position from 0. */
  readonly position: number;
  readonly parameter: CommandValue;
  readonly value: unknown;
  readonly violation: Violation;
}

/** Bitcoin Core's names of the hashes in its messages, where they differ from those of the parameters. */
const hashNames: Readonly<Record<string, readonly string[]>> = {
  getrawtransaction: ["parameter 1", "", "parameter 3"],
};

/** Messages for numbers below a method's minimum, by method and position. */
const tooLowMessages: Readonly<Record<string, readonly string[]>> = {
  getblockhash: ["Block height out of range"],
  getnodeaddresses: ["Address count out of range"],
  getchaintxstats: ["Invalid block count: should be between 0 and the block's height - 1"],
  getnetworkhashps: ["Invalid nblocks. Must be a positive number or -1.", "Block does not exist at specified height"],
};

/** Messages for numbers outside of a method's range, by method and position. */
const outOfRangeMessages: Readonly<Record<string, readonly string[]>> = {
  estimatefee: ["Invalid numblocks, must be between 1 and 1008"],
  estimatesmartfee: ["Invalid conf_target, must be between 1 and 1008"],
};

/** Lowest integer for Bitcoin Core. */
const lowestInteger = -0x80000000;

/** Function that finds problems inside of parameters whose own types are valid. */
type ProblemFinder = (sent: (name: string) => unknown) => ServiceError | undefined;

/** Methods with parameters that have parts of their own. */
const problemFinders: Readonly<Record<string, ProblemFinder>> = {
  combinepsbt: (sent) => findListProblem("txs", sent("txs")),
  combinerawtransaction: (sent) => findListProblem("txs", sent("txs")),
  createrawtransaction: findRawTransactionProblem,
  deriveaddresses: (sent) => (sent("range") === undefined ? undefined : findRangeProblem(sent("range"))),
  getblockstats: findBlockProblem,
  getheaders: findLocatorProblem,
  joinpsbts: (sent) => findListProblem("txs", sent("txs")),
  gettxout: findOutputProblem,
  gettxoutproof: findProofProblem,
  gettxspendingprevout: findOutputsProblem,
  searchrawtransactions: (sent) => findListProblem("filteraddrs", sent("filteraddrs")),
  scantxoutset: findScanProblem,
  submitpackage: (sent) => findListProblem("package", sent("package")),
  testmempoolaccept: (sent) => findListProblem("rawtxs", sent("rawtxs")),
};

/** Parameters whose types Bitcoin Core does not check before it uses them. */
const uncheckedTypes: Readonly<Record<string, string>> = { createrawtransaction: "outputs", deriveaddresses: "range" };

/**
 * Creates the function that rejects parameters in Bitcoin Core's dialect: an invalid number of them with the help of the method (-1), an
 * invalid type with its position and name (-3), an invalid hash or number with Core's sentence (-8). The names of all invalid ones are
 * included.
 */
export function createParameterRefusal({ commands }: CommandReference): ParameterRefusal {
  return (method, found, params) => {
    const command = commands.get(method);
    if (command === undefined) return rpcError("invalidParameter", "Invalid parameter");
    const violations = firstOfEach(found);
    const misfits = mismatchesOf(command, violations, params);
    const refusal =
      countProblem(command, violations, params) ??
      amountProblem(violations) ??
      typeProblem(checkedMismatches(method, misfits)) ??
      problemFinders[method]?.((name) => sentByName(command, params, name)) ??
      valueProblem(method, misfits);
    return aboutParameters(refusal, namesOf(command, violations, params));
  };
}

/** Maximum number of examined violations: nobody sends more by mistake. */
const maximumViolations = 10_000;

/** Returns the first violation of each kind in each parameter: a list may have a hundred thousand invalid items. */
function firstOfEach(violations: readonly Violation[]): readonly Violation[] {
  const firsts = new Map<string, Violation>();
  for (const violation of violations.slice(0, maximumViolations)) {
    const { pointer, keyword } = violation;
    const end = pointer.indexOf("/", 1);
    // Violations of a parameter itself are distinguished from those of its parts.
    const place = end === -1 ? pointer : pointer.slice(0, end + 1);
    const key = `${keyword} ${place}`;
    if (!firsts.has(key)) firsts.set(key, violation);
  }
  return [...firsts.values()];
}

/** Returns the invalid parameters, in the order of the method. */
function namesOf(command: Command, violations: readonly Violation[], params: unknown): readonly string[] {
  const places = new Set(violations.map(({ pointer }) => tokenOf(pointer)));
  const hasNoAmount = amountProblem(violations) !== undefined;
  return command.parameters
    .filter(
      ({ name }, position) =>
        places.has(propertyOf(name)) || (hasNoAmount && containsNoAmount(sentValue(params, position, name))),
    )
    .map(({ name }) => name);
}

/** Returns whether a value is, or contains, a number that is not an integer of satoshi. */
function containsNoAmount(value: unknown): boolean {
  if (isNumber(value)) return satoshiOf(String(value)) === undefined;
  return typeof value === "object" && value !== null && Object.values(value).some(containsNoAmount);
}

/** Returns the error for fractions of satoshi, in any parameter: what no schema can express is found when the parameters are read. */
function amountProblem(violations: readonly Violation[]): ServiceError | undefined {
  return violations.some(({ keyword, pointer }) => keyword === "format" && pointer === "")
    ? invalidAmount()
    : undefined;
}

function countProblem(command: Command, violations: readonly Violation[], params: unknown): ServiceError | undefined {
  const unknownName = violations.find(({ keyword, pointer }) =>
    isSurplus(command, keyword, pointer, "additionalProperties"),
  );
  if (unknownName !== undefined && !Array.isArray(params)) {
    return rpcError("invalidParameter", `Unknown named parameter ${truncate(tokenOf(unknownName.pointer))}`);
  }
  const twice = violations.find(({ keyword }) => keyword === "givenTwice");
  if (twice !== undefined) {
    const name = command.parameters.find((parameter) => propertyOf(parameter.name) === tokenOf(twice.pointer))?.name;
    return rpcError("invalidParameter", `Parameter ${name} specified twice both as positional and named argument`);
  }
  const isMissing = violations.some(({ keyword, pointer }) => keyword === "required" && depthOf(pointer) <= 1);
  const isTooMany = violations.some(({ keyword, pointer }) => isSurplus(command, keyword, pointer, "maxItems"));
  return isMissing || isTooMany ? rpcError("miscellaneous", renderCommandHelp(command)) : undefined;
}

/** Returns whether a violation is of the list of parameters, not of one of them. */
function isSurplus(command: Command, keyword: string, pointer: string, expected: string): boolean {
  return keyword === expected && !command.parameters.some(({ name }) => propertyOf(name) === tokenOf(pointer));
}

function checkedMismatches(method: string, misfits: readonly Misfit[]): readonly Misfit[] {
  return misfits.filter(({ parameter }) => parameter.name !== uncheckedTypes[method]);
}

function typeProblem(misfits: readonly Misfit[]): ServiceError | undefined {
  const wrong = misfits.filter(({ parameter, value }) => !isOfType(value, parameter.types));
  if (wrong.length === 0) return undefined;
  return wrongTypes(
    wrong.map(({ position, parameter, value }) => ({
      place: `Position ${position + 1} (${parameter.name})`,
      value,
      expected: expectedTypes(parameter),
    })),
  );
}

function valueProblem(method: string, [misfit]: readonly Misfit[]): ServiceError {
  if (misfit === undefined) return rpcError("invalidParameter", "Invalid parameter");
  const { parameter, position, value, violation } = misfit;
  if (typeof value === "string" && violation.keyword === "pattern") {
    return hashProblem(hashNames[method]?.[position] ?? parameter.name, value);
  }
  if (isNumber(value)) {
    if (value < lowestInteger) return integerProblem();
    const outOfRange = rangeMessage(method, position, violation.keyword);
    if (outOfRange !== undefined) return rpcError("invalidParameter", outOfRange);
    if (violation.keyword !== "minimum") return integerProblem();
  }
  return rpcError("invalidParameter", `Invalid parameter ${parameter.name}`);
}

function rangeMessage(method: string, position: number, keyword: string): string | undefined {
  const tooLow = keyword === "minimum" ? tooLowMessages[method]?.[position] : undefined;
  return tooLow ?? (/^(?:minimum|maximum)$/.test(keyword) ? outOfRangeMessages[method]?.[position] : undefined);
}

/** Returns each invalid parameter once, in the order of the method. */
function mismatchesOf(command: Command, violations: readonly Violation[], params: unknown): readonly Misfit[] {
  return command.parameters.flatMap((parameter, position) => {
    const violation = violations.find(({ pointer }) => tokenOf(pointer) === propertyOf(parameter.name));
    if (violation === undefined) return [];
    return [{ position, parameter, value: sentValue(params, position, parameter.name), violation }];
  });
}

/** Returns the value of a parameter; `undefined` for one that was omitted. */
function sentByName(command: Command, params: unknown, name: string): unknown {
  return sentValue(
    params,
    command.parameters.findIndex((parameter) => parameter.name === name),
    name,
  );
}

function sentValue(params: unknown, position: number, name: string): unknown {
  if (Array.isArray(params)) return params[position];
  return typeof params === "object" && params !== null
    ? (params as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Returns whether a value is of a type. A number with a fraction is of the type integer, as in Bitcoin Core; it is out of range. */
function isOfType(value: unknown, types: readonly string[]): boolean {
  if (types.length === 0) return true;
  return types.some((type) => coreTypeNames[type] === typeName(value));
}

function expectedTypes({ types }: CommandValue): string {
  return [...new Set(types.map((type) => coreTypeNames[type] ?? type))].join(" or ");
}

/** JSON Schema's type names in Bitcoin Core's words. */
const coreTypeNames: Readonly<Record<string, string>> = {
  null: "null",
  boolean: "bool",
  integer: "number",
  number: "number",
  string: "string",
  array: "array",
  object: "object",
};

/** Returns the member of a method's input for a parameter. */
function propertyOf(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Returns the first token of a JSON Pointer. */
function tokenOf(pointer: string): string {
  return (pointer.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}

function depthOf(pointer: string): number {
  return pointer.split("/").length - 1;
}
