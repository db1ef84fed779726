/** Predicate for the required form of a value in a node's result. */
export type Form = (value: unknown) => boolean;

/** Members of an object that are relied on, with the form of each. */
export type MemberForms = readonly (readonly [name: string, form: Form, need: Need])[];

/**
 * Requirement of a member. Members other than `required` ones may be omitted or null, which is normalized: to undefined, or null of
 * `nullable` ones.
 */
type Need = "required" | "nullable" | "optional";

const digit0 = 0x30;
const digit9 = 0x39;
const letterA = 0x61;
const letterF = 0x66;
const letterX = 0x78;
const lowerCase = 0x20;

/** Length of 32 bytes in hexadecimal, with the prefix. */
const wordLength = 66;

/* These run for every value of every block, of which there are thousands: what the length shows is not checked for each character. */

/** Form of a natural number of 256 bits at most, in hexadecimal; leading zeros are allowed, because some clients have them. */
export const isQuantity: Form = (value) => {
  if (!isHex(value) || value.length < 3 || value.length > wordLength) return false;
  for (let at = 2; at < value.length; at++) if (!isDigit(value.charCodeAt(at))) return false;
  return true;
};

/** Form of bytes in hexadecimal. */
export const isData: Form = (value) => isHex(value) && value.length % 2 === 0;

/** Form of 32 bytes. */
export const isHash: Form = (value) => isHex(value) && value.length === wordLength;

/** Form of 20 bytes. */
export const isAddress: Form = (value) => isHex(value) && value.length === 42;

/** Returns the form of a list whose elements have a form. */
export function listOf(form: Form): Form {
  return (value) => Array.isArray(value) && value.every((element) => form(element));
}

/** Returns the form of an object whose members have their forms. */
export function objectOf(members: MemberForms): Form {
  return (value) => hasForms(value, members);
}

/** Pairs each name with a form. */
export function members(need: Need, form: Form, ...names: readonly string[]): MemberForms {
  return names.map((name) => [name, form, need] as const);
}

/** Returns whether an object has members of these forms. Members that it may lack are normalized. */
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
