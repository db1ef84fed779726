import { escapeSegment, isRecord } from "@nodewright/api-model";
import { isDate } from "@nodewright/runtime/formats";
import { armsOf, elementOf, memberOf } from "./member-facts.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** A text that is not what its format says. */
export interface Formless {
  readonly format: string;
  readonly text: string;
  /** With `*` for positions in lists. */
  readonly pointer: string;
  readonly place: Place | undefined;
  /** False for what people and programs can still make out: a time without its offset, an address without its scheme. */
  readonly isSure: boolean;
}

/** Values of one answer that are looked at. */
const mostLooked = 5_000;

/**
 * Formats that no reading of can do without: servers differ about fractions, zones and the letter between date and time, and about all
 * other formats.
 */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  date: beginsWithDay,
  "date-time": beginsWithDay,
  uuid: (text) => /^(?:urn:uuid:)?\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i.test(text),
};

/** What the formats ask for beyond that (RFC 3339, section 5.6; RFC 3986, section 3.1). */
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

/** Whether no text of a value is of another form than its format says. */
export function isWellFormed(type: SuiteType, value: unknown, types: SuiteTypes): boolean {
  return formattedTexts(type, value, types).every(({ format, text }) => sentForms[format]?.(text) !== false);
}

/** Texts that are plainly of another form than their format: each place once. */
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

/** Texts whose type has one format, in the order of the value. */
function formattedTexts(
  type: SuiteType | undefined,
  value: unknown,
  types: SuiteTypes,
): readonly Omit<Formless, "isSure">[] {
  const found: Omit<Formless, "isSure">[] = [];
  let looked = 0;
  const walk = (at: unknown, of: SuiteType | undefined, pointer: string): void => {
    looked += 1;
    if (looked > mostLooked || of === undefined) return;
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

/** The one format that a text of a type has; undefined where it may have another, or none. */
function formatOf(type: SuiteType, types: SuiteTypes): string | undefined {
  const arms = armsOf(type, types).filter(({ kind }) => kind !== "null");
  const formats = new Set(arms.map((arm) => (arm.kind === "string" ? arm.format : undefined)));
  const [only] = formats;
  return formats.size === 1 ? only : undefined;
}

/** `2024-02-29` and whatever follows it: a day that there is. */
function beginsWithDay(text: string): boolean {
  return isDate(text.slice(0, 10)) && !/\d/.test(text.charAt(10));
}
