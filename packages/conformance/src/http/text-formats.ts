import { armsOf, elementOf, memberOf } from "../compare/member-facts.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import { isRecord } from "../types/is-record.ts";
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

/** Texts that are plainly of another form than their format: each place once. */
export function formlessTexts(type: SuiteType | undefined, value: unknown, types: SuiteTypes): readonly Formless[] {
  const found = new Map<string, Formless>();
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
    } else if (typeof at === "string" && !found.has(pointer)) {
      const format = formatOf(of, types);
      const isWrong = format !== undefined && forms[format]?.(at) === false;
      if (format === undefined || (!isWrong && strictForms[format]?.(at) !== false)) return;
      found.set(pointer, { format, text: at, pointer, place: of.place, isSure: isWrong });
    }
  };
  walk(value, type, "");
  return [...found.values()];
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
  const match = /^[+-]?(\d{4,6})-(\d{2})-(\d{2})(?!\d)/.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match.map(Number);
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1)
    return false;
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
