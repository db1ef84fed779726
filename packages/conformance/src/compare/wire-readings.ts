import { isRecord } from "@nodewright/api-model";
import { armsOf, membersOf, resolveType } from "./member-facts.ts";
import type { SuiteParameter } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isValueOf } from "@nodewright/api-values";

/** Whether no parsing of a serialized value results in a valid value of the parameter. */
export function isWrongOnWire(parameter: SuiteParameter, value: unknown, types: SuiteTypes): boolean {
  const { type, location } = parameter;
  if (isSpreadRecord(parameter, types)) return isWrongRecord(type, value, types);
  if (Array.isArray(value)) {
    // A server may use any one of several values with the same name.
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

/** Whether an object is serialized as several parameters, one for each member: `filter[open]=true`, `R=100&G=200`. */
function isSpreadRecord({ type, location, style, explode }: SuiteParameter, types: SuiteTypes): boolean {
  const isRecordType = armsOf(type, types).some(({ kind }) => kind === "record");
  return isRecordType && location === "query" && (style === "deepObject" || (explode ?? true));
}

/**
 * Whether an object is invalid in any parsing. Values other than objects are not serialized as members, which a server looks for; nor does
 * every server check unknown names.
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

/** Returns all parsings of a string, including lenient ones: surrounding white space, `+1`, `TRUE`, `1` for true. */
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

/** Whether a string has no special meaning for proxies and routers. */
function isPlainText(text: string): boolean {
  return (
    /^[A-Za-z0-9_~!$&'()*+,;=:@ .-]+$/.test(text) && !/^\.+$/.test(text) && text.length < 2000 && text === text.trim()
  );
}

/**
 * Returns whether a string, such as a header value, can be parsed as a value of its type: as itself, as a number, a boolean or null, or as
 * a list of these (OpenAPI's style `simple`). Structured values are not checked.
 */
export function isTextOfType(type: SuiteType, text: string, types: SuiteTypes): boolean {
  const trimmed = text.trim();
  const candidates: readonly unknown[] = [...readingsOf(trimmed), ...listReadings(trimmed)];
  if (candidates.some((candidate) => isValueOf(type, candidate, types, "response"))) return true;
  // `a,1,b,2` and `a=1,b=2` are objects in style `simple`, and JSON is one where the description has a media type.
  return isStructured(type, types) && /[,={]/.test(trimmed);
}

/** Returns the values that a string may represent. */
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
