import type { JsonValue } from "@nodewright/model";
import {
  type Code,
  fill,
  group,
  hardline,
  indent,
  join,
  line,
  operationCode,
  softline,
  textWidth,
  trailingComma,
} from "./code.ts";

/**
 * Returns a string as a literal, in the quotes that need fewer escapes.
 *
 * Line separators and invisible formatting characters are escaped, so that the source shows every character.
 */
export function stringLiteral(text: string): string {
  const escaped = escapeText(text);
  if (!text.includes('"')) return `"${escaped}"`;
  return countOf('"', text) > countOf("'", text)
    ? `'${escaped.replaceAll("'", "\\'")}'`
    : `"${escaped.replaceAll('"', '\\"')}"`;
}

/** Counts the occurrences of a character. Texts may be complete documents: nothing is split. */
function countOf(character: string, text: string): number {
  let count = 0;
  for (let index = text.indexOf(character); index !== -1; index = text.indexOf(character, index + 1)) count += 1;
  return count;
}

/** Returns the text of a template literal's fixed part. */
export function templateText(text: string): string {
  return escapeText(text).replaceAll("`", "\\`");
}

/** Returns the shortest spelling that gives the same double; a bigint as its literal. */
export function numberLiteral(value: number | bigint): string {
  if (typeof value === "bigint") return `${value}n`;
  if (!Number.isFinite(value)) throw new Error(`${value} is not a JSON number`);
  return Object.is(value, -0) ? "-0" : String(value).replace("e+", "e");
}

/** Returns a property's name for an object type or interface: quoted when it is not a plain identifier. */
export function propertyKey(name: string): string {
  return isPlainName(name) ? name : stringLiteral(name);
}

/** Returns a property's name for an object literal; `__proto__` is computed, because the plain form would set the prototype. */
export function objectKey(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : propertyKey(name);
}

/** Returns an object literal, one member on each line. */
export function objectLiteral(members: readonly (readonly [name: string, value: Code])[]): Code {
  if (members.length === 0) return "{}";
  const printed = members.map(([name, value]): Code => [memberCode(objectKey(name), value), ","]);
  return ["{", indent(hardline, ...join(hardline, printed)), hardline, "}"];
}

/** A member of an object literal that belongs to one operation. */
export interface OperationMember {
  readonly operation: string;
  readonly name: string;
  readonly value: Code;
}

/** Returns an object literal with a member for each of some operations, followed by `others`. */
export function operationTable(
  members: readonly OperationMember[],
  others: readonly (readonly [name: string, value: Code])[] = [],
): Code {
  if (members.length + others.length === 0) return "{}";
  const printed = [
    ...members.map(({ operation, name, value }) => operationCode(operation, [memberCode(objectKey(name), value), ","])),
    ...others.map(([name, value]): Code => [memberCode(objectKey(name), value), ","]),
  ];
  return ["{", indent(hardline, ...join(hardline, printed)), hardline, "}"];
}

/**
 * Returns a member of an object literal. A string or name that does not fit after its key moves to a line of its own; the formatter keeps
 * it after the shortest keys.
 */
function memberCode(key: string, value: Code): Code {
  const isWord = typeof value === "string" && /^(?:["']|[\w$]+$)/.test(value);
  return isWord && textWidth(key) > longestShortKey ? group(`${key}:`, indent(line, value)) : [key, ": ", value];
}

/** Columns that a new line must gain before the formatter breaks, an indentation of two being lost. */
const longestShortKey = 4;

/** Returns a list literal, on one line when it fits. */
export function listLiteral(items: readonly Code[]): Code {
  if (items.length === 0) return "[]";
  return group("[", indent(softline, join([",", line], items), trailingComma), softline, "]");
}

/** Returns an access to a member: `calls.getTransaction`, or `calls["2fa"]` where the name is not an identifier. */
export function memberAccess(object: string, name: string): string {
  return objectKey(name) === name ? `${object}.${name}` : `${object}[${stringLiteral(name)}]`;
}

/** Returns a JSON value as an expression. */
export function jsonLiteral(value: JsonValue): Code {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return numberLiteral(value);
  if (typeof value === "string") return stringLiteral(value);
  if (!isList(value)) return objectLiteral(Object.entries(value).map(([name, member]) => [name, jsonLiteral(member)]));
  const items = value.map(jsonLiteral);
  if (value.length > 1 && value.every((item) => typeof item === "number")) {
    return group("[", indent(softline, fill(items), trailingComma), softline, "]");
  }
  const isMatrix = value.length > 1 && value.every((item) => isList(item) && item.length > 1);
  return isMatrix ? ["[", indent(hardline, join([",", hardline], items), ","), hardline, "]"] : listLiteral(items);
}

/**
 * Returns data as an expression of few lines: objects are on one line where they fit. Members that are undefined are left out. `constants`:
 * names of the objects that are separate constants.
 *
 * @throws {Error} for a value that is neither JSON nor a bigint.
 */
export function dataLiteral(value: unknown, constants: Constants = new Map()): Code {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return numberLiteral(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value !== "object") throw new Error(`A ${typeof value} is not JSON data`);
  return constants.get(value) ?? (Array.isArray(value) ? dataList(value, constants) : dataObject(value, constants));
}

type Constants = ReadonlyMap<object, string>;

function dataObject(value: object, constants: Constants): Code {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return "{}";
  const printed = members.map(([name, member]) => memberCode(objectKey(name), dataLiteral(member, constants)));
  return group("{", indent(line, join([",", line], printed), trailingComma), line, "}");
}

/**
 * Returns a list as the formatter lays it out: numbers fill lines; several objects, or several lists, of more than one part each are on
 * lines of their own.
 */
function dataList(values: readonly unknown[], constants: Constants): Code {
  const items = values.map((value) => dataLiteral(value, constants));
  if (values.length < 2) return listLiteral(items);
  if (values.every((item) => typeof item === "number"))
    return group("[", indent(softline, fill(items), trailingComma), softline, "]");
  const isEach = (test: (item: unknown) => boolean): boolean =>
    values.every((item) => test(item) && !constants.has(item as object) && Object.keys(item as object).length > 1);
  const isTable = isEach(Array.isArray) || isEach((item) => isObject(item));
  return isTable ? ["[", indent(hardline, join([",", hardline], items), ","), hardline, "]"] : listLiteral(items);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns whether a name needs no quotes. Most names are ASCII, and V8 is slow to learn which characters are of a category. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name) || /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name);
}

/** Escapes everything except quotes. `${` is escaped too, so that it does not start a substitution in a template literal. */
function escapeText(text: string): string {
  // Most texts consist of plain characters only; others are escaped run by run, because that is slow.
  return /[^ -[\]-~]|\$\{/.test(text) ? text.replaceAll(/[^ -[\]-~]+|\$\{/g, escapeRun) : text;
}

function escapeRun(run: string): string {
  if (run === "${") return "$\\u007b";
  return run === "\\" ? "\\\\" : run.replaceAll(/[\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escapeMatch);
}

function escapeMatch(match: string): string {
  return match === "\\" || match < " " ? JSON.stringify(match).slice(1, -1) : escapeCharacter(match);
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
