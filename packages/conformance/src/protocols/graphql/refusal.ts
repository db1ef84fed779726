import { plainName } from "../../compare/volatile-names.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { AnsweredError, GraphqlResponse } from "./read-response.ts";

/**
 * Why a request that is right by the schema was not answered.
 *
 * `size`: it asks for too much. `denied`: the caller may not. `missing`: the server does not have it. `input`: what was asked for does
 * not suit the field, though it suits its type. `unknown`: none of these is said.
 */
export type RefusalKind = "size" | "denied" | "missing" | "input" | "unknown";

const words: readonly (readonly [RefusalKind, RegExp])[] = [
  [
    "denied",
    /unauthori[sz]ed|unauthenticated|not authori[sz]ed|not authenticated|authenticat|authoriz|forbidden|permission|denied|not allowed|log ?in|signed? in|credential|api key|access token|must be (?:an )?admin|introspection/i,
  ],
  [
    "size",
    /complex|\bcost|too deep|depth|too (?:many|large|long|big|much|expensive|heavy)|limit|exceed|quota|throttl|time[d ]?-?out|maximum|budget|persisted/i,
  ],
  [
    "missing",
    /not[ _]?(?:yet )?(?:implemented|supported|available|enabled)|unimplemented|unsupported|disabled|unavailable|deprecated|switched off|does not exist\/is not available/i,
  ],
  [
    "input",
    /not[ _]?found|no such|unknown|does(?:n't| not) exist|invalid|required|must|bad[ _]?(?:user|request)|(?<!un)expected|missing|out of range|provide|can(?:'t|not)(?! (?:read|set) propert)|malformed|illegal|range/i,
  ],
];

/** Reads from a response's errors why it has no data. */
export function refusalOf(response: GraphqlResponse): RefusalKind {
  const { status } = response.answer;
  if (status === 401 || status === 403) return "denied";
  if (status === 413 || status === 414) return "size";
  const kinds = response.errors.map(errorKind);
  return kinds.find((kind) => kind !== "unknown") ?? "unknown";
}

/** Why one error was given. A code for wrong input may stand for anything that is wrong with a request: its message says more. */
function errorKind({ message, extensions }: AnsweredError): RefusalKind {
  const code = typeof extensions["code"] === "string" ? kindIn(plainCode(extensions["code"])) : undefined;
  if (code !== undefined && code !== "input") return code;
  const told = kindIn(message);
  return told === "size" ? told : (code ?? told ?? "unknown");
}

function kindIn(text: string): RefusalKind | undefined {
  return words.find(([, pattern]) => pattern.test(text))?.[0];
}

/** `BAD_USER_INPUT` and `badUserInput` as words. */
function plainCode(code: string): string {
  return code.includes("_") ? code.replaceAll("_", " ").toLowerCase() : plainName(code);
}

/** Whether an error says that what the server itself came by is not of the field's type: no request can be the reason. */
export function isUnfitValue({ message, path }: AnsweredError): boolean {
  if (path === undefined) return false;
  return /cannot return null for non-null|^(?:Enum )?"?\w+"? cannot represent|^Expected Iterable|must resolve to an object type|^Expected value of type/i.test(
    message,
  );
}

/** Whether an error says that there is nothing under what a field was called with. */
export function saysAbsent({ message, extensions }: AnsweredError): boolean {
  return /not[ _-]?found|no such|does(?:n't| not) exist/i.test(`${message} ${String(extensions["code"] ?? "")}`);
}

/** Kinds of refusals that say nothing of the request, as a case that ends with one is skipped for. */
const reasonsOfTarget: Readonly<Partial<Record<RefusalKind, string>>> = {
  denied: "The target reports that this is not allowed",
  size: "The target reports that this is too much",
  missing: "The target reports that it does not offer this",
};

/** Whether a refusal has a reason that has nothing to do with the values of a request. */
export function isOfTarget(response: GraphqlResponse): boolean {
  return reasonsOfTarget[refusalOf(response)] !== undefined;
}

/** Skips a case where a refusal has a reason that has nothing to do with the values of a request. */
export function skipRefused(play: CasePlay, response: GraphqlResponse): void {
  const reason = reasonsOfTarget[refusalOf(response)];
  if (reason !== undefined) play.skip(reason);
}

/** What a response that has no data says of it. */
export function reasonOf({ errors, answer }: GraphqlResponse): string {
  return errors[0]?.message ?? `status ${answer.status}`;
}

/** What is wrong with a field whose error is of an unfit value. */
export function unfitText(field: string): string {
  return `${field} fails, since the server's own value is not of its type`;
}
