import { canonicalText } from "../types/canonical-text.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Finding } from "../contract/finding.ts";
import type { SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import { isRecord } from "../types/is-record.ts";
import { finding } from "./rpc-finding.ts";
import type { RpcFault } from "./rpc-reply.ts";
import type { RpcParams } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";
import { nameWords } from "../types/name-words.ts";

/** What the specification calls its own errors. */
const standardMessage =
  /^(?:parse error|invalid request|method not found|invalid params?|internal error|server error)/i;

/** An error that says what one documented error says has the code of that one, and the data that is shown for it. */
export function documentedFaultFindings(
  method: SuiteRpcMethod,
  params: RpcParams | undefined,
  fault: RpcFault,
  detail: string,
): readonly Finding[] {
  const said = fault.message.trim().toLowerCase();
  if (said === "" || standardMessage.test(said)) return [];
  const alike = method.failures.filter(
    ({ message, rpcCode }) => rpcCode !== undefined && message?.toLowerCase() === said,
  );
  const [documented] = alike;
  if (documented === undefined) return [];
  const same = alike.filter(({ rpcCode }) => rpcCode === Number(fault.code));
  const [own] = same;
  if (own !== undefined) return same.length === 1 ? dataFindings(method, params, own, fault) : [];
  const message = `the error says what the documented ${documented.rpcCode} says, and has another code`;
  return [finding(rpcRules.codeOfAnother, message, detail, { place: documented.place })];
}

/** The data of a documented error is of the kind that is shown for it, has the members of that, and is of what was asked for. */
function dataFindings(
  method: SuiteRpcMethod,
  params: RpcParams | undefined,
  { data: shown, place }: SuiteFailure,
  { data }: RpcFault,
): readonly Finding[] {
  // A document may say in words what the data is.
  if (!isRecord(shown)) return [];
  const told = (text: string): readonly Finding[] => [
    finding(rpcRules.errorData, text, data === undefined ? "there is no data" : showValue(data), { place }),
  ];
  if (!isRecord(data)) return told("the error's data is no object, as the documented one is");
  const names = Object.keys(shown);
  if (names.length > 0 && !names.some((name) => Object.hasOwn(data, name)))
    return told(`the error's data has no ${names.join(", ")}`);
  const foreign = names.find((name) => Object.hasOwn(data, name) && isForeign(method, params, name, data[name]));
  return foreign === undefined ? [] : told(`the error's data has another ${foreign} than was asked for`);
}

/** Names of what says which thing is meant, and not how far things go, as a height may. */
const namingName = /(?:id|hash|uuid|address|slug|sku|isbn|iban|email|symbol)$/;

/** Whether a member of an error's data names what was asked for, and has another value than was sent. */
function isForeign(
  { parameters }: SuiteRpcMethod,
  params: RpcParams | undefined,
  name: string,
  value: unknown,
): boolean {
  const sent = (parameter: SuiteParameter): unknown => sentValue(parameters, params, parameter);
  const own = parameters.find((parameter) => parameter.name === name);
  if (own !== undefined) {
    const asked = sent(own);
    return namingName.test(plainName(name)) && isPlain(asked) && isPlain(value) && !isAlike(asked, value);
  }
  // The ends of a range are called by a part of their names: `from` is of `bookedFrom`.
  const [only, ...more] = parameters.filter((parameter) => isPartOf(name, parameter.name));
  if (only === undefined || more.length > 0 || !isPlain(sent(only)) || isAlike(sent(only), value)) return false;
  return parameters.some((other) => other !== only && isPlain(sent(other)) && isAlike(sent(other), value));
}

function isPartOf(word: string, name: string): boolean {
  return nameWords(name).includes(word.toLowerCase());
}

function sentValue(
  parameters: readonly SuiteParameter[],
  params: RpcParams | undefined,
  parameter: SuiteParameter,
): unknown {
  if (Array.isArray(params)) return (params as readonly unknown[])[parameters.indexOf(parameter)];
  return isRecord(params) ? params[parameter.name] : undefined;
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint";
}

/** Whether a value is the one that was sent, however it is written. */
function isAlike(asked: unknown, value: unknown): boolean {
  const text = (one: unknown): string =>
    (typeof one === "string" ? one : canonicalText(one)).trim().toLowerCase().replace(/^0x/, "");
  return text(asked) === text(value);
}
