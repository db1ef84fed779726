import { readLosslessJson } from "@nodewright/runtime";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { flatTypeOf } from "./flat-type.ts";
import { isValueOf } from "./violations.ts";

/**
 * Whether a text in a URL or header spells a value of a type, read in any way that servers read it: as itself, as a number however it is
 * written (`+5`, `05`, `5.0`, spaces around it), as a boolean in any of its usual words, as null where it is empty, and as a list with
 * commas, bars or spaces between its elements.
 */
export function spellsValueOf(type: SuiteType, text: string, types: SuiteTypes): boolean {
  const isOf = (value: unknown): boolean => isValueOf(type, value, types, "request");
  if (scalarReadings(text).some(isOf)) return true;
  return listReadings(type, text, types).some(isOf);
}

const trueWords: ReadonlySet<string> = new Set(["true", "t", "1", "yes", "y", "on"]);
const falseWords: ReadonlySet<string> = new Set(["false", "f", "0", "no", "n", "off"]);

/** What a text may stand for, but for lists. */
function scalarReadings(text: string): readonly unknown[] {
  const readings: unknown[] = [text];
  const plain = text.trim();
  const word = plain.toLowerCase();
  if (plain !== text) readings.push(plain);
  readings.push(...numberReadings(plain));
  if (trueWords.has(word)) readings.push(true);
  if (falseWords.has(word)) readings.push(false);
  if (word === "" || word === "null") readings.push(null);
  if (/^["[{]/.test(plain)) readings.push(...jsonReadings(plain));
  return readings;
}

function numberReadings(text: string): readonly unknown[] {
  const [, sign, digits = "", rest = ""] = /^([+-]?)([0-9]*)((?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)$/.exec(text) ?? [];
  if (sign === undefined || !/[0-9]/.test(digits + rest.slice(0, 2))) return [];
  const whole = digits.replace(/^0+(?=[0-9])/, "");
  if (rest === "" || /^\.0*$/.test(rest))
    return jsonReadings(`${sign === "-" ? "-" : ""}${whole === "" ? "0" : whole}`);
  const number = Number(text);
  return Number.isNaN(number) ? [] : [number];
}

function jsonReadings(text: string): readonly unknown[] {
  try {
    return [readLosslessJson(text)];
  } catch {
    return [];
  }
}

/** Each separator alone; elements are what their type takes, else texts. */
function listReadings(type: SuiteType, text: string, types: SuiteTypes): readonly unknown[] {
  const flat = flatTypeOf(type, types);
  const lists = flat.kind === "union" ? flat.members.map((member) => flatTypeOf(member, types)) : [flat];
  return lists.flatMap((list) => {
    if (list.kind !== "list") return [];
    const splits = text === "" ? [[], [""]] : [[text], text.split(","), text.split("|"), text.split(" ")];
    return splits.map((parts) =>
      parts.map((part, index) => readingFor(list.prefix?.[index] ?? list.element, part, types)),
    );
  });
}

function readingFor(type: SuiteType, text: string, types: SuiteTypes): unknown {
  const readings = scalarReadings(text);
  return readings.find((reading) => isValueOf(type, reading, types, "request")) ?? text;
}
