import { isRecord } from "@nodewright/api-model";
import { armsOf, membersOf, resolveType } from "./member-facts.ts";
import type { SuiteParameter } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isValueOf } from "@nodewright/api-values";

/** Whether no way of reading a text finds a value of the parameter in it. */
export function isWrongOnWire(parameter: SuiteParameter, value: unknown, types: SuiteTypes): boolean {
  const { type, location } = parameter;
  if (isSpreadRecord(parameter, types)) return isWrongRecord(type, value, types);
  if (Array.isArray(value)) {
    // Of several values of one name a server may take any.
    if (!armsOf(type, types).some(({ kind }) => kind === "list")) return false;
    const isPlain = value.length > 0 && value.every((item) => isScalar(item) && isPlainText(String(item)));
    const texts = value.map(String);
    const readings = texts.map((text) => readingsOf(text).at(-1));
    return isPlain && [value, readings, texts].every((one) => !isValueOf(type, one, types, "request"));
  }
  if (!isScalar(value)) return false;
  const text = String(value);
  if (text.trim() === "" || (location !== "query" && !isPlainText(text))) return false;
  const list = text.split(",");
  const readings = [...lenientReadings(text), list, list.map((item) => readingsOf(item).at(-1)), [text]];
  return readings.every((one) => !isValueOf(type, one, types, "request"));
}

/** Whether a parameter is written as several of other names, one for each member of its record: `filter[open]=true`, `R=100&G=200`. */
function isSpreadRecord({ type, location, style, explode }: SuiteParameter, types: SuiteTypes): boolean {
  const isRecordType = armsOf(type, types).some(({ kind }) => kind === "record");
  return isRecordType && location === "query" && (style === "deepObject" || (explode ?? true));
}

/**
 * What is no record is not written as one, and a server that looks for the names of members does not see it; nor does every server see
 * a name that it does not know.
 */
function isWrongRecord(type: SuiteType, value: unknown, types: SuiteTypes): boolean {
  if (!isRecord(value) || Object.keys(value).length === 0) return false;
  const members = membersOf(type, types);
  const entries = Object.entries(value);
  const isPlain = entries.every(([name, member]) => members.some((one) => one.name === name) && isScalar(member));
  if (!isPlain || entries.some(([, member]) => String(member).trim() === "")) return false;
  return entries.some(([name, member]) => {
    const own = members.find((one) => one.name === name)?.type;
    return own !== undefined && lenientReadings(String(member)).every((one) => !isValueOf(own, one, types, "request"));
  });
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}

/** Also what careful servers may take: white space around, `+1`, `TRUE`, `1` for true. */
function lenientReadings(text: string): readonly unknown[] {
  const trimmed = text.trim();
  const number = Number(trimmed);
  const words: Readonly<Record<string, boolean>> = { true: true, false: false, "1": true, "0": false };
  const word = words[trimmed.toLowerCase()];
  return [
    ...readingsOf(text),
    trimmed,
    ...(Number.isNaN(number) ? [] : [number]),
    ...(word === undefined ? [] : [word]),
  ];
}

/** Text that no proxy and no router takes for something else. */
function isPlainText(text: string): boolean {
  return (
    /^[A-Za-z0-9_~!$&'()*+,;=:@ .-]+$/.test(text) && !/^\.+$/.test(text) && text.length < 2000 && text === text.trim()
  );
}

/**
 * Returns whether a text, as headers have them, can be read as a value of its type: as itself, as a number, a boolean or null, or as a list of such
 * (OpenAPI's style `simple`). Structured texts are taken for right.
 */
export function isTextOfType(type: SuiteType, text: string, types: SuiteTypes): boolean {
  const trimmed = text.trim();
  const candidates: readonly unknown[] = [...readingsOf(trimmed), ...listReadings(trimmed)];
  if (candidates.some((candidate) => isValueOf(type, candidate, types, "answer"))) return true;
  // `a,1,b,2` and `a=1,b=2` are records in style `simple`, and JSON is one where the description gives a media type.
  return isStructured(type, types) && /[,={]/.test(trimmed);
}

/** What one text may spell. */
function readingsOf(text: string): readonly unknown[] {
  const readings: unknown[] = [text];
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) readings.push(numberOf(text));
  if (text === "true") readings.push(true);
  if (text === "false") readings.push(false);
  if (text === "null") readings.push(null);
  return readings;
}

function numberOf(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : BigInt(text);
}

function listReadings(text: string): readonly unknown[] {
  const texts = text.split(",").map((part) => part.trim());
  return [texts, texts.map((part) => readingsOf(part).at(-1))];
}

function isStructured(type: SuiteType, types: SuiteTypes): boolean {
  const kind = resolveType(type, types)?.kind;
  return kind === "record" || kind === "any";
}
