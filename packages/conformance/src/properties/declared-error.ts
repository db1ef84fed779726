import { isRecord } from "@nodewright/api-model";
import { isIdentifier } from "../compare/list-of.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import { type Finding, finding } from "../contract/finding.ts";
import type { CaseDraft, CasePlay } from "../contract/planned-case.ts";
import { maySameIdentify } from "../inference/identifier-member.ts";
import { inferListRoles, type Parameter } from "../inference/list-roles.ts";
import { rangesOf, reversedValues, wordsOf } from "../inference/opposites.ts";
import type { Place, SuiteTypes } from "../suite/suite-type.ts";
import { withPlace } from "../suite/with-place.ts";
import { isValueOf, kebabCase } from "@nodewright/api-values";
import { nameWords } from "../basics/name-words.ts";
import type { FailedCall } from "./failed-call.ts";
import type { Input } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";

/** A failure that a description declares. */
export interface DeclaredFailure {
  /** HTTP status, or code of the error. */
  readonly code: number | undefined;
  /** Name in messages: "the error -32011". */
  readonly text: string;
  /** Name and messages, in words. */
  readonly words: readonly string[];
  /** Example of the error's data in the description. */
  readonly data?: unknown;
  readonly place?: Place;
}

/** An operation whose declared failures can be triggered, for any protocol. */
export interface FailingOperation {
  readonly parameters: readonly Parameter[];
  readonly types: SuiteTypes;
  readonly failures: readonly DeclaredFailure[];
  /** Input that had a value, or might have one. */
  readonly base: Input;
  /** Inputs that had a value. */
  readonly good: readonly Input[];
  call(play: CasePlay, input: Input): Promise<FailedCall>;
}

/** Words with which a failure reports that an input is invalid by itself. */
const aboutInvalid = /\b(?:invalid|bad|illegal|wrong|malformed|incorrect|unrecogni[sz]ed|not (?:a )?valid)\b/i;
const aboutRange = /\b(?:range|interval|period|window)\b/i;
const aboutOrder =
  /\b(?:ends?|end|until|to) (?:is |lies |comes )?before\b|\b(?:starts?|from|since) (?:is |lies )?after\b|\breversed?\b/i;
const aboutCursor = /\b(?:cursor|token|bookmark|continuation|marker)\b/i;
const aboutUnknown = /\b(?:unknown|expired|no such|not found|none of)\b/i;
/** Words about the extent of a range: a valid range may be too long, or contain nothing. */
const aboutExtent = /too|exceed|limit|large|wide|long|max|out.?of/i;

/** Names of parameters whose values have a format, even if their type allows any string. */
const formedName =
  /cursor|pagetoken|nexttoken|continuation|bookmark|address|hash|txid|signature|date|time|uuid|guid|email|url|uri/;
/** String that matches no such format. */
const formless = "no such thing!";

/**
 * Plans calls that trigger declared failures whose words describe the trigger: ranges that end before they start, strings that do not have
 * the format of their parameter.
 */
export function* planDeclaredErrors(operation: FailingOperation): Generator<CaseDraft> {
  const { parameters, types, failures, base, good } = operation;
  for (const [from, to] of rangesOf(parameters)) {
    const ofRange = failures.find(({ words }) => words.some((text) => isOfRange(text, [from, to])));
    const reversed = ofRange === undefined ? undefined : reversedValues([from, to], good, types);
    if (ofRange === undefined || reversed === undefined) continue;
    const name = `${kebabCase(from.property)}-after-${kebabCase(to.property)}`;
    yield caseOf(operation, ofRange, name, `a range whose ${from.name} is after its ${to.name}`, {
      ...base,
      ...reversed,
    });
  }
  const cursors = inferListRoles(parameters, types).flatMap((one) => (one.role === "cursor" ? [one.parameter] : []));
  for (const parameter of parameters) {
    const { name, property, type } = parameter;
    const isCursor = cursors.includes(parameter);
    const failure = failures.find(({ words }) =>
      words.some((text) => namesAsInvalid(text, name) || (isCursor && isOfCursor(text))),
    );
    const hasForm = isCursor || formedName.test(plainName(name));
    if (failure === undefined || !hasForm || !isValueOf(type, formless, types, "request")) continue;
    const input = { ...base, [property]: formless };
    yield caseOf(operation, failure, `${kebabCase(property)}-without-form`, `a text that is no ${name}`, input);
  }
}

/** Whether a failure is about a range that ends before it starts, by its words or by the names of the range's ends. */
function isOfRange(text: string, ends: readonly [Parameter, Parameter]): boolean {
  if (aboutExtent.test(text)) return false;
  const words = wordsOf(text).join(" ");
  const [from, to] = ends.map(({ name }) => wordsOf(name).join(" "));
  const namesBoth = words.includes(`${from} is after ${to}`) || words.includes(`${to} is before ${from}`);
  return namesBoth || (aboutRange.test(text) && (aboutInvalid.test(text) || aboutOrder.test(text)));
}

function isOfCursor(text: string): boolean {
  return aboutCursor.test(text.replaceAll("_", " ")) && (aboutInvalid.test(text) || aboutUnknown.test(text));
}

/** Whether a failure reports that this parameter is invalid. */
function namesAsInvalid(text: string, parameter: string): boolean {
  const words = wordsOf(parameter);
  const last = words.at(-1);
  // A token may be a credential of the client, and not a page token.
  const wanted = new Set([words.join(""), ...(last === undefined || last === "token" ? [] : [last])]);
  return aboutInvalid.test(text) && wordsOf(text).some((word) => wanted.has(word));
}

function caseOf(
  operation: FailingOperation,
  declared: DeclaredFailure,
  name: string,
  what: string,
  input: Input,
): CaseDraft {
  const rule = propertyRules.declaredError;
  const place = withPlace(declared.place);
  return {
    group: "negative",
    name,
    rule,
    expected: `${declared.text}, or that the input is refused`,
    input,
    play: async (play) => {
      const { findings, result, failure } = await operation.call(play, input);
      if (result !== undefined) {
        const message = `${what} is accepted, though ${declared.text} is documented for it`;
        return [...findings, { rule, message, detail: `the result is ${showValue(result.value)}`, ...place }];
      }
      const isRight = operation.failures.some(({ code }) => code === failure?.code);
      if (failure === undefined || failure.kind !== "other" || isRight) return findings;
      const message = `${what} leads to another failure than ${declared.text}`;
      return [...findings, { rule, message, detail: failure.text, ...place }];
    },
  };
}

/** A failure as a target returned it. */
export interface ReturnedFailure {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  /** Returns the value that was sent for a parameter. */
  sent(parameter: Parameter): unknown;
}

/** Messages of JSON-RPC's own errors, which any server upstream may use. */
const standardMessage =
  /^(?:parse error|invalid request|method not found|invalid params?|internal error|server error)/i;

/** Checks that a failure with the message of a declared one has its code, and data as its example shows. */
export function inspectFailure(
  parameters: readonly Parameter[],
  failures: readonly (DeclaredFailure & { readonly message?: string })[],
  returned: ReturnedFailure,
): readonly Finding[] {
  const message = returned.message.trim().toLowerCase();
  if (message === "" || standardMessage.test(message)) return [];
  const alike = failures.filter((one) => one.code !== undefined && one.message?.toLowerCase() === message);
  const same = alike.filter(({ code }) => code === returned.code);
  const [declared] = alike;
  if (declared === undefined || same.length > 1) return [];
  const [own] = same;
  const rule = propertyRules.declaredErrorForm;
  const text =
    own === undefined
      ? `the failure has the message of ${declared.text}, and another code`
      : dataProblem(parameters, own, returned);
  const detail = own === undefined ? `the code is ${returned.code}` : showValue(returned.data);
  return text === undefined ? [] : [finding(rule, text, detail, { place: (own ?? declared).place })];
}

/**
 * Returns the problem of the error's data, if any: it has to be an object like the example, with its members and the values of the call.
 */
function dataProblem(
  parameters: readonly Parameter[],
  { data: shown }: DeclaredFailure,
  returned: ReturnedFailure,
): string | undefined {
  const { data } = returned;
  // A description may describe the data in words.
  if (!isRecord(shown)) return undefined;
  if (!isRecord(data)) return "the error's data is not an object, unlike the documented one";
  const names = Object.keys(shown);
  const own = names.filter((name) => Object.hasOwn(data, name));
  if (names.length > 0 && own.length === 0) return `the error's data has no ${names.join(", ")}`;
  const foreign = own.find((name) => isForeign(parameters, returned, name, data[name]));
  return foreign === undefined ? undefined : `the error's data has another ${foreign} than the call`;
}

/** Names of members that identify an object, unlike quantities such as a height. */
const namingName = /(?:id|hash|uuid|address|slug|sku|isbn|iban|email|symbol)$/;

/** Whether a member of an error's data refers to a parameter of the call, and has another value than was sent. */
function isForeign(parameters: readonly Parameter[], { sent }: ReturnedFailure, name: string, value: unknown): boolean {
  const isOther = (parameter: Parameter): boolean => !maySameIdentify(sent(parameter), value);
  const own = parameters.find((parameter) => parameter.name === name);
  if (own !== undefined) return namingName.test(plainName(name)) && isOther(own);
  // The ends of a range may be named by a part of their parameters' names: `from` for `bookedFrom`.
  const [only, ...more] = parameters.filter((parameter) => nameWords(parameter.name).includes(name.toLowerCase()));
  if (only === undefined || more.length > 0 || !isOther(only)) return false;
  return parameters.some((other) => other !== only && isIdentifier(sent(other)) && !isOther(other));
}
