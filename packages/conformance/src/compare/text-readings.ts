import { resolveType } from "./member-facts.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { violationsOf } from "../types/violations.ts";

/**
 * Returns whether a text, as headers have them, can be read as a value of its type: as itself, as a number, a boolean or null, or as a list of such
 * (OpenAPI's style `simple`). Structured texts are taken for right.
 */
export function isTextOfType(type: SuiteType, text: string, types: SuiteTypes): boolean {
  const trimmed = text.trim();
  const candidates: readonly unknown[] = [...readingsOf(trimmed), ...listReadings(trimmed)];
  if (candidates.some((candidate) => violationsOf(type, candidate, types, "answer").length === 0)) return true;
  // `a,1,b,2` and `a=1,b=2` are records in style `simple`, and JSON is one where the description gives a media type.
  return isStructured(type, types) && /[,={]/.test(trimmed);
}

/** What one text may spell. */
export function readingsOf(text: string): readonly unknown[] {
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
