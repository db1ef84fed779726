import { plainName } from "../compare/volatile-names.ts";

/** Parts of a GraphQL error that indicate its reason. */
export interface StatedError {
  readonly message: string;
  readonly path?: readonly unknown[];
  readonly extensions: { readonly code?: unknown };
}

/**
 * Reason why a request that is valid against the schema was refused.
 *
 * `size`: it requests too much. `denied`: the client is not authorized. `missing`: the server does not support it. `input`: the arguments
 * are invalid for the field, though valid for its type. `unknown`: the error indicates none of these.
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

/** Returns the reason of an error. A code for invalid input may cover any problem of a request: its message is more specific. */
export function refusalKindOf({ message, extensions }: StatedError): RefusalKind {
  const code = typeof extensions.code === "string" ? kindIn(plainCode(extensions.code)) : undefined;
  if (code !== undefined && code !== "input") return code;
  const reported = kindIn(message);
  return reported === "size" ? reported : (code ?? reported ?? "unknown");
}

function kindIn(text: string): RefusalKind | undefined {
  return words.find(([, pattern]) => pattern.test(text))?.[0];
}

/** Returns `BAD_USER_INPUT` and `badUserInput` as words. */
function plainCode(code: string): string {
  return code.includes("_") ? code.replaceAll("_", " ").toLowerCase() : plainName(code);
}

/** Whether an error reports that there is no object for the arguments of a field. */
export function statesAbsence({ message, extensions: { code = "" } }: StatedError): boolean {
  return /not[ _-]?found|no such|does(?:n't| not) exist/i.test(`${message} ${String(code)}`);
}

/** Whether an error reports that a value of the server itself does not match the field's type: no request can be the reason. */
export function isRejectedValue({ message, path }: StatedError): boolean {
  if (path === undefined) return false;
  return /cannot return null for non-null|^(?:Enum )?"?\w+"? cannot represent|^Expected Iterable|must resolve to an object type|^Expected value of type/i.test(
    message,
  );
}

const internalWords =
  /^(?:internal (?:server )?error|unexpected error|an unexpected error (?:has )?occurred|something went wrong)\.?$|cannot read propert|is not (?:a function|iterable|subscriptable|defined)|of (?:undefined|null)\b|'?NoneType'?|nil pointer|null pointer|\b(?:panic|TypeError|KeyError|AttributeError|IndexError|NullPointerException)\b/i;

/** Whether an error reports an internal failure of a resolver; servers use the same code for errors about absent objects. */
export function isInternalError(error: StatedError): boolean {
  return !statesAbsence(error) && internalWords.test(error.message.trim());
}
