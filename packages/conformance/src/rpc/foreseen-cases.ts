import type { Finding } from "../contract/finding.ts";
import { showValue } from "../compare/show-value.ts";
import { armsOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { isValueOf } from "../types/violations.ts";
import { goodInput, plausibleInput, sendableInput } from "./good-inputs.ts";
import { missingFindings } from "./missing-method.ts";
import { notFoundDrafts } from "./not-found-drafts.ts";
import { documentsAbsence } from "./refusal.ts";
import { askWith, documentedCodes, errorCodes, faultText } from "./rpc-call.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { type Input, paramsOf } from "./rpc-params.ts";
import type { RpcReply } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";
import { nameWords } from "../types/name-words.ts";

/** Provokes the errors that a method documents: of what is not there, of ranges that end before they start, of texts without their form. */
export function* foreseenDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const base = plausibleInput(context, method);
  if (base === undefined || method.failures.length === 0) return;
  yield* rangeDrafts(context, method, base);
  yield* formlessDrafts(context, method, base);
  if (documentsAbsence(method)) yield* notFoundDrafts(context, method, base);
}

/** Words with which an error says that something is wrong by itself. */
const aboutWrong = /\b(?:invalid|bad|illegal|wrong|malformed|incorrect|unrecogni[sz]ed|not (?:a )?valid)\b/i;
const aboutRange = /\b(?:range|interval|period|window)\b/i;
/** A range may be too long, or lie where nothing is, and still be one. */
const aboutExtent = /too|exceed|limit|large|wide|long|max|out.?of/i;
/** Words for the two ends of a range. */
const ends: readonly (readonly [string, string])[] = [
  ["from", "to"],
  ["from", "until"],
  ["start", "end"],
  ["start", "stop"],
  ["begin", "end"],
  ["since", "until"],
  ["after", "before"],
  ["min", "max"],
  ["minimum", "maximum"],
  ["lower", "upper"],
];

/** A range that ends before it starts has the error that is documented for wrong ranges. */
function* rangeDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  const failure = method.failures.find(({ name, message = "" }) =>
    [message, kebabCase(name).replaceAll("-", " ")].some(
      (text) => aboutWrong.test(text) && aboutRange.test(text) && !aboutExtent.test(text),
    ),
  );
  if (failure === undefined) return;
  for (const [from, to] of rangesOf(method)) {
    const reversed = reversedOf(context, method, from, to);
    const input = reversed && sendableInput(context, method, { ...base, ...reversed });
    if (input === undefined) continue;
    yield foreseenDraft(context, method, failure, {
      name: `${kebabCase(from.property)}-after-${kebabCase(to.property)}`,
      input,
      message: `a range whose ${from.name} is after its ${to.name} is taken, though an error is documented for it`,
    });
  }
}

/** Whether an input has the end of a range before its start. */
export function hasReversedRange(method: SuiteRpcMethod, input: Input): boolean {
  return rangesOf(method).some(([from, to]) => isBefore(input[to.property], input[from.property]));
}

/** Pairs of parameters that are called as the two ends of one range. */
function rangesOf({ parameters }: SuiteRpcMethod): readonly (readonly [SuiteParameter, SuiteParameter])[] {
  return parameters.flatMap((from) =>
    ends.flatMap(([start, end]) => {
      const words = wordsOf(from.name);
      const at = words.indexOf(start);
      if (at === -1) return [];
      const wanted = words.with(at, end).join(" ");
      const to = parameters.find(({ name }) => wordsOf(name).join(" ") === wanted);
      return to === undefined ? [] : [[from, to] as const];
    }),
  );
}

function wordsOf(name: string): readonly string[] {
  return nameWords(name).filter((word) => word !== "");
}

/** Values of all kinds that have an order, the greater one first. */
const descending: readonly (readonly [unknown, unknown])[] = [
  [2, 1],
  ["0x2", "0x1"],
  ["2024-03-01", "2024-02-01"],
  ["2024-03-01T00:00:00Z", "2024-02-01T00:00:00Z"],
];

/** Two values that are well by themselves, and in the wrong order: those of a call that was taken, or made-up ones. */
function reversedOf(
  context: RpcContext,
  method: SuiteRpcMethod,
  from: SuiteParameter,
  to: SuiteParameter,
): Input | undefined {
  const { types } = context.suite;
  const isOf = (value: unknown): boolean =>
    [from, to].every(
      (parameter) => isValueOf(parameter.type, value, types, "request") && fits(parameter, value, types),
    );
  const pair = descending.find((values) => values.every(isOf));
  if (pair === undefined) return undefined;
  const known = context.session.live
    .goodInputsOf(method.name)
    .map((input) => [input[from.property], input[to.property]] as const)
    .find(([low, high]) => isBefore(low, high));
  const [high, low] = known === undefined ? pair : [known[1], known[0]];
  return { [from.property]: high, [to.property]: low };
}

/** Whether a text is of the format of a parameter's type, or of its pattern, so that it can be told from other texts. */
function fits({ type }: SuiteParameter, value: unknown, types: SuiteTypes): boolean {
  if (typeof value !== "string") return true;
  const wanted = value.startsWith("0x") ? undefined : value.includes("T") ? "date-time" : "date";
  return armsOf(type, types).some(
    (arm) => arm.kind === "string" && (wanted === undefined ? arm.pattern !== undefined : arm.format === wanted),
  );
}

function isBefore(low: unknown, high: unknown): boolean {
  if (typeof low === "number" && typeof high === "number") return low < high;
  if (typeof low !== "string" || typeof high !== "string") return false;
  const isHex = [low, high].every((text) => /^0x[0-9a-f]{1,16}$/i.test(text));
  return isHex ? BigInt(low) < BigInt(high) : [low, high].every((text) => /^\d{4}-\d\d-\d\d/.test(text)) && low < high;
}

/** What has a form of its own, of which a type that is any text says nothing. */
const formedName =
  /cursor|pagetoken|nexttoken|continuation|bookmark|address|hash|txid|signature|date|time|uuid|guid|email|url|uri/;
/** Nothing that has a form is written so. */
const formless = "no such thing!";

/** "Invalid cursor" is what is answered where a cursor is none. */
function* formlessDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  const { types } = context.suite;
  for (const parameter of method.parameters) {
    const { name, property, type } = parameter;
    if (!formedName.test(plainName(name)) || !isValueOf(type, formless, types, "request")) continue;
    const failure = method.failures.find((one) => namesAsWrong(one, name));
    const input = sendableInput(context, method, { ...base, [property]: formless });
    if (failure === undefined || input === undefined) continue;
    yield foreseenDraft(context, method, failure, {
      name: `${kebabCase(property)}-without-form`,
      input,
      message: `a ${name} that is none is taken, though an error is documented for it`,
    });
  }
}

/** Whether an error says that a parameter is wrong, and no other one. */
function namesAsWrong({ name, message = "" }: SuiteFailure, parameter: string): boolean {
  const words = wordsOf(parameter);
  const last = words.at(-1);
  // A token may be one of the caller, and not of a page.
  const wanted = new Set([words.join(""), ...(last === undefined || last === "token" ? [] : [last])]);
  return [message, kebabCase(name).replaceAll("-", " ")].some(
    (text) => aboutWrong.test(text) && wordsOf(text).some((word) => wanted.has(word)),
  );
}

interface Foreseen {
  readonly name: string;
  readonly input: Input;
  /** What is wrong when it is taken. */
  readonly message: string;
}

function foreseenDraft(
  context: RpcContext,
  method: SuiteRpcMethod,
  failure: SuiteFailure,
  { name, input, message }: Foreseen,
): CaseDraft {
  const params = paramsOf(method, input);
  return {
    group: "negative",
    name,
    rule: rpcRules.foreseen,
    expected: `the error ${failure.rpcCode ?? "that is documented"}, or -32602`,
    params,
    play: async (play) => {
      const reply = await askWith(context, play, method, params);
      const missing = missingFindings(context, method, reply, play);
      if (missing !== undefined) return missing;
      // Where nothing is answered well so far, it is not the error that is looked for.
      if (goodInput(context, method) === undefined) return reply.findings;
      return [...reply.findings, ...foreseenFindings(method, failure, reply, message)];
    },
  };
}

function foreseenFindings(
  method: SuiteRpcMethod,
  { place = method.place }: SuiteFailure,
  { outcome }: RpcReply,
  message: string,
): readonly Finding[] {
  if (outcome.kind === "result") {
    return [finding(rpcRules.foreseen, message, `the result is ${showValue(outcome.value)}`, { place })];
  }
  if (outcome.kind !== "error") return [];
  const code = Number(outcome.fault.code);
  if (code === errorCodes.invalidParams || documentedCodes(method).has(code)) return [];
  const text = "the error is none that is documented, nor -32602";
  return [finding(rpcRules.refusalCode, text, faultText(outcome.fault), { place })];
}
