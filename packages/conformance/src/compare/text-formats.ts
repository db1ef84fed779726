import { escapeSegment, isRecord } from "@nodewright/api-model";
import { isDate } from "@nodewright/runtime/formats";
import { armsOf, elementOf, memberOf } from "./member-facts.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** A string that does not match its format. */
export interface Formless {
  readonly format: string;
  readonly text: string;
  /** JSON Pointer with `*` in place of list indices. */
  readonly pointer: string;
  readonly place: Place | undefined;
  /**
   * Whether it is certainly invalid; false for values that are still understandable: a time without its offset, a URI without its scheme.
   */
  readonly isSure: boolean;
}

/** Maximum number of values of one response to visit. */
const maximumVisited = 5_000;

/**
 * Minimum requirements of formats: servers differ about fractions, offsets and the letter between date and time, and about all other
 * formats.
 */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  date: beginsWithDay,
  "date-time": beginsWithDay,
  uuid: (text) => /^(?:urn:uuid:)?\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i.test(text),
};

/** Further requirements of formats (RFC 3339, section 5.6; RFC 3986, section 3.1). */
const strictForms: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": (text) => /(?:z|[+-]\d{2}:?\d{2})$/i.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:/i.test(text),
};

/** Stricter checks for values in requests: a server may refuse a date for a date-time, and a date-time for a date. */
const sentForms: typeof forms = {
  ...forms,
  date: isDate,
  "date-time": (text) => beginsWithDay(text) && /\d[T ]\d{2}:\d{2}/i.test(text),
};

/** Whether all strings of a value match their formats. */
export function isWellFormed(type: SuiteType, value: unknown, types: SuiteTypes): boolean {
  return formattedTexts(type, value, types).every(({ format, text }) => sentForms[format]?.(text) !== false);
}

/** Returns strings that clearly do not match their format, each place once. */
export function formlessTexts(type: SuiteType | undefined, value: unknown, types: SuiteTypes): readonly Formless[] {
  const found = new Map<string, Formless>();
  for (const one of formattedTexts(type, value, types)) {
    const { format, text, pointer } = one;
    const isSure = forms[format]?.(text) === false;
    if (!found.has(pointer) && (isSure || strictForms[format]?.(text) === false))
      found.set(pointer, { ...one, isSure });
  }
  return [...found.values()];
}

/** Returns strings whose type has one format, in the order of the value. */
function formattedTexts(
  type: SuiteType | undefined,
  value: unknown,
  types: SuiteTypes,
): readonly Omit<Formless, "isSure">[] {
  const found: Omit<Formless, "isSure">[] = [];
  let looked = 0;
  const walk = (at: unknown, of: SuiteType | undefined, pointer: string): void => {
    looked += 1;
    if (looked > maximumVisited || of === undefined) return;
    if (Array.isArray(at)) {
      for (const [index, item] of at.entries()) walk(item, elementOf(of, index, types), `${pointer}/*`);
    } else if (isRecord(at)) {
      for (const [name, member] of Object.entries(at)) {
        walk(member, memberOf(of, name, types)?.type, `${pointer}/${escapeSegment(name)}`);
      }
    } else if (typeof at === "string") {
      const format = formatOf(of, types);
      if (format !== undefined) found.push({ format, text: at, pointer, place: of.place });
    }
  };
  walk(value, type, "");
  return found;
}

/** Returns the only format of the strings of a type; undefined where they may have another one, or none. */
function formatOf(type: SuiteType, types: SuiteTypes): string | undefined {
  const arms = armsOf(type, types).filter(({ kind }) => kind !== "null");
  const formats = new Set(arms.map((arm) => (arm.kind === "string" ? arm.format : undefined)));
  const [only] = formats;
  return formats.size === 1 ? only : undefined;
}

/** Whether a string starts with a valid date such as `2024-02-29`. */
function beginsWithDay(text: string): boolean {
  return isDate(text.slice(0, 10)) && !/\d/.test(text.charAt(10));
}
