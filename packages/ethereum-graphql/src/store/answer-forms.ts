/** Whether a value of a node's answer has the form that it must have. */
export type Form = (value: unknown) => boolean;

/** The members of an object that are relied on, with the form of each. */
export type MemberForms = readonly (readonly [name: string, form: Form, need: Need])[];

/** Others than `required` members may be left out or null, which becomes the same: undefined, or null of `nullable` ones. */
type Need = "required" | "nullable" | "optional";

const digit0 = 0x30;
const digit9 = 0x39;
const letterA = 0x61;
const letterF = 0x66;
const letterX = 0x78;
const lowerCase = 0x20;

/** Of 32 bytes, with the prefix. */
const wordLength = 66;

/*
 * These look at every value of every block, of which there are thousands: what the length tells is not looked for in each character.
 */

/** A natural number of 256 bits at most, in hexadecimal; leading zeros pass, because some clients have them. */
export const isQuantity: Form = (value) => {
  if (!isHex(value) || value.length < 3 || value.length > wordLength) return false;
  for (let at = 2; at < value.length; at++) if (!isDigit(value.charCodeAt(at))) return false;
  return true;
};

/** Bytes in hexadecimal. */
export const isData: Form = (value) => isHex(value) && value.length % 2 === 0;

/** 32 bytes. */
export const isHash: Form = (value) => isHex(value) && value.length === wordLength;

/** 20 bytes. */
export const isAddress: Form = (value) => isHex(value) && value.length === 42;

/** A list whose elements have a form. */
export function listOf(form: Form): Form {
  return (value) => Array.isArray(value) && value.every((element) => form(element));
}

/** An object whose members have their forms. */
export function objectOf(members: MemberForms): Form {
  return (value) => hasForms(value, members);
}

/** Pairs each name with a form. */
export function members(need: Need, form: Form, ...names: readonly string[]): MemberForms {
  return names.map((name) => [name, form, need] as const);
}

/** Whether an object has members of these forms. What it may lack is brought into one form. */
export function hasForms(value: unknown, forms: MemberForms): boolean {
  if (typeof value !== "object" || value === null) return false;
  const object = value as Record<string, unknown>;
  for (const [name, form, need] of forms) {
    const member = object[name];
    if (member === undefined || member === null) {
      if (need === "required") return false;
      if (need === "optional" && member === null) object[name] = undefined;
      if (need === "nullable" && member === undefined) object[name] = null;
    } else if (!form(member)) return false;
  }
  return true;
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && value.charCodeAt(0) === digit0 && value.charCodeAt(1) === letterX;
}

function isDigit(code: number): boolean {
  if (code >= digit0 && code <= digit9) return true;
  const lower = code | lowerCase;
  return lower >= letterA && lower <= letterF;
}
