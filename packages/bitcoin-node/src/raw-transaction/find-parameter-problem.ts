import type { ServiceError } from "@nodewright/runtime";
import { hashProblem, integerProblem, isNumber, isObject, typeProblem } from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { invalidAmount, satoshiOf } from "./amount.ts";

const txidPattern = /^[0-9a-fA-F]{64}$/;
const highestVout = 2 ** 31 - 1;
const highestUint32 = 2 ** 32 - 1;

/** Returns the problem of the form of createrawtransaction's parameters, in Bitcoin Core's order of checks. */
export function findRawTransactionProblem(sent: (name: string) => unknown): ServiceError | undefined {
  return (
    findNumberProblem(sent("locktime"), { name: "locktime", lowest: 0, highest: highestUint32 }) ??
    findVersionProblem(sent("version")) ??
    findInputsProblem(sent("inputs")) ??
    findOutputsProblem(sent("outputs"))
  );
}

interface NumberRange {
  readonly name: string;
  readonly lowest: number;
  readonly highest: number;
}

function findNumberProblem(value: unknown, { name, lowest, highest }: NumberRange): ServiceError | undefined {
  if (!isNumber(value)) return undefined;
  if (!isInteger(value)) return integerProblem();
  return value < lowest || value > highest
    ? rpcError("invalidParameter", `Invalid parameter, ${name} out of range`)
    : undefined;
}

/** Returns the problem of a version, which Bitcoin Core stores unsigned. */
function findVersionProblem(value: unknown): ServiceError | undefined {
  if (!isNumber(value)) return undefined;
  if (!isInteger(value) || value < 0 || value > highestUint32) return integerProblem();
  return value < 1 || value > 3
    ? rpcError("invalidParameter", "Invalid parameter, version out of range(1~3)")
    : undefined;
}

function findInputsProblem(inputs: unknown): ServiceError | undefined {
  if (!Array.isArray(inputs)) return undefined;
  for (const [position, input] of inputs.entries()) {
    const problem = findInputProblem(input, `Position 1 (inputs), at [${position}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findInputProblem(input: unknown, place: string): ServiceError | undefined {
  if (!isObject(input)) return typeProblem([{ place, value: input, expected: "object" }]);
  const { txid, vout, sequence } = input;
  if (typeof txid !== "string") return typeProblem([{ place: `${place}.txid`, value: txid, expected: "string" }]);
  if (!txidPattern.test(txid)) return hashProblem("txid", txid);
  if (!isNumber(vout)) return rpcError("invalidParameter", "Invalid parameter, missing vout key");
  if (!isInteger(vout) || vout > highestVout || vout < -highestVout - 1) return integerProblem();
  if (vout < 0) return rpcError("invalidParameter", "Invalid parameter, vout cannot be negative");
  if (sequence === undefined || sequence === null) return undefined;
  if (!isNumber(sequence)) {
    return typeProblem([{ place: `${place}.sequence`, value: sequence, expected: "number" }]);
  }
  return findNumberProblem(sequence, { name: "sequence number is", lowest: 0, highest: highestUint32 });
}

function findOutputsProblem(outputs: unknown): ServiceError | undefined {
  if (outputs === null) return rpcError("invalidParameter", "Invalid parameter, output argument must be non-null");
  if (isObject(outputs)) return findAmountProblem(outputs);
  if (!Array.isArray(outputs)) {
    return typeProblem([{ place: "Position 2 (outputs)", value: outputs, expected: "array or object" }]);
  }
  for (const output of outputs) {
    if (!isObject(output)) {
      return rpcError("invalidParameter", "Invalid parameter, key-value pair not an object as expected");
    }
    const problem = findAmountProblem(output);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findAmountProblem(outputs: Readonly<Record<string, unknown>>): ServiceError | undefined {
  for (const [name, amount] of Object.entries(outputs)) {
    if (name === "data" && typeof amount === "string") continue;
    if (!isNumber(amount) && typeof amount !== "string") {
      return rpcError("wrongType", "Amount is not a number or string");
    }
    if (satoshiOf(String(amount)) === undefined) return invalidAmount();
  }
  return undefined;
}

function isInteger(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}
