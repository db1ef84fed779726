import { plainName } from "../../compare/volatile-names.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import type { Input } from "./rpc-params.ts";

/** A hash as interfaces write it: 32 bytes in hexadecimal. */
const hashText = /^(?:0x)?[0-9a-fA-F]{64}$/;
/** What a method with such a name tells of a hash depends on more than the hash. */
const passingName =
  /mempool|pending|unspent|utxo|txout|spent|spending|balance|status|confirm|peer|estimate|fee|wait|count$/i;
/** What a method with such a name tells is another thing each day, though its parameters name nothing that changes. */
const dailyName = /fee|gas|mempool|pending|peer|hashrate|hashps|exchangerate|forecast/i;
/** Words that stand for blocks that go on. */
const movingTags: ReadonlySet<unknown> = new Set(["latest", "pending", "safe", "finalized", "earliest"]);

/** Whether a method always answers an input the same: marked, or the input names what it asks for by a hash. */
export function isImmutable(method: SuiteRpcMethod, input: Input): boolean {
  if (method.isImmutable !== undefined) return method.isImmutable;
  const values = Object.values(input);
  return values.some(isHash) && !values.some((value) => movingTags.has(value)) && !passingName.test(method.method);
}

/**
 * Whether a documented answer is of something that stays as it is: what has a hash or a height. A chain may change at its tip, but what
 * somebody wrote into a document lies far below it.
 */
export function isSettled(method: SuiteRpcMethod, input: Input): boolean {
  if (isImmutable(method, input)) return true;
  if (method.isImmutable === false || passingName.test(method.method)) return false;
  return method.parameters.some(
    ({ name, property }) => /(?:height|blocknumber)$/.test(plainName(name)) && isNumber(input[property]),
  );
}

/** A number, or a text of one in hexadecimal. */
function isNumber(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^0x[0-9a-f]{1,16}$/i.test(value));
}

/** Whether what a method tells is of the day on which it is asked, so that an example only shows how it looks. */
export function isOfTheDay(method: SuiteRpcMethod): boolean {
  return method.isImmutable !== true && dailyName.test(method.method);
}

/** Whether a value is written as a hash of 32 bytes. */
function isHash(value: unknown): value is string {
  return typeof value === "string" && hashText.test(value);
}
