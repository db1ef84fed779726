import type { ServiceError } from "@nodewright/runtime";
import {
  hashProblem,
  integerProblem,
  isNumber,
  isObject,
  truncate,
  typeName,
} from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";

type MemberTypes = Readonly<Record<string, string>>;

const outputTypes: MemberTypes = { txid: "string", vout: "number" };
const optionTypes: MemberTypes = { mempool_only: "bool", return_spending_tx: "bool" };

/** Returns the problem of valid-typed parameters of gettxspendingprevout, in Bitcoin Core's words. */
export function findOutputsProblem(sent: (name: string) => unknown): ServiceError | undefined {
  const outputs = sent("outputs");
  if (!Array.isArray(outputs)) return undefined;
  if (outputs.length === 0) return rpcError("invalidParameter", "Invalid parameter, outputs are missing");
  const options = sent("options");
  const problem = isObject(options) ? findMemberProblem(options, optionTypes, []) : undefined;
  if (problem !== undefined) return problem;
  for (const output of outputs) {
    const found = findOutputProblem(output);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findOutputProblem(output: unknown): ServiceError | undefined {
  if (!isObject(output)) {
    return rpcError("wrongType", `JSON value of type ${typeName(output)} is not of expected type object`);
  }
  const problem = findMemberProblem(output, outputTypes, ["txid", "vout"]);
  if (problem !== undefined) return problem;
  const { txid, vout } = output;
  if (typeof txid === "string" && !/^[0-9a-fA-F]{64}$/.test(txid)) return hashProblem("txid", txid);
  if (!isNumber(vout)) return undefined;
  const isInteger = typeof vout === "bigint" || Number.isInteger(vout);
  if (!isInteger || vout > 0x7fffffff || vout < -0x80000000) return integerProblem();
  return vout < 0 ? rpcError("invalidParameter", "Invalid parameter, vout cannot be negative") : undefined;
}

function findMemberProblem(
  object: Readonly<Record<string, unknown>>,
  types: MemberTypes,
  required: readonly string[],
): ServiceError | undefined {
  for (const [name, expected] of Object.entries(types)) {
    const value = object[name];
    if (value === undefined && !required.includes(name)) continue;
    if (value === undefined) return rpcError("wrongType", `Missing ${name}`);
    if (typeName(value) === expected) continue;
    const found = `JSON value of type ${typeName(value)} for field ${name}`;
    return rpcError("wrongType", `${found} is not of expected type ${expected}`);
  }
  const unexpected = Object.keys(object).find((name) => !Object.hasOwn(types, name));
  return unexpected === undefined ? undefined : rpcError("wrongType", `Unexpected key ${truncate(unexpected)}`);
}
