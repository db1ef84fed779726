import { withPlace } from "../suite/with-place.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { kindsOf } from "@nodewright/api-model";
import { flatTypeOf } from "./flat-type.ts";
import { UniqueNames } from "./kebab-case.ts";
import { spellsValueOf } from "./spelling.ts";
import { violationsOf } from "./violations.ts";
import { wrongValuesOf } from "./wrong-values.ts";

/** A text that spells no value of a type. */
export interface WrongText {
  /** kebab-case, unique among those of one type. */
  readonly name: string;
  readonly text: string;
  /** JSON Schema keyword that it breaks. */
  readonly keyword: string;
  readonly place?: Place;
}

const maximumTexts = 40;

/** Texts that are no numbers, or none that are asked for. Without an empty one: that may say that nothing is given. */
const oddTexts: readonly (readonly [name: string, text: string])[] = [
  ["letters", "abc"],
  ["fraction", "1.5"],
  ["negative", "-1"],
  ["with-unit", "5x"],
  ["hexadecimal", "0x10"],
  ["many-digits", "99999999999999999999"],
  ["not-a-number", "NaN"],
  ["two-numbers", "1;2"],
  ["undefined", "undefined"],
  ["infinite", "1e400"],
  ["other-digits", "٣"],
  ["words", "no such value"],
];

/**
 * Texts for a parameter in a URL or header that spell no value of its type, however a server reads them: of a text type only those that
 * are too short or long, not of its pattern or not listed; of objects none. The most telling ones come first, an empty one last.
 */
export function wrongTextsOf(type: SuiteType, types: SuiteTypes, base: unknown): readonly WrongText[] {
  const flat = flatTypeOf(type, types);
  if (flat.kind === "record" || flat.kind === "any" || flat.kind === "bytes") return [];
  const kinds = kindsOf(type, (target) => types[target]);
  if (kinds === undefined || kinds.has("record")) return [];
  const isTextual = kinds.has("string");
  const ofValues = wrongValuesOf(type, types, base).flatMap(({ name, value }) => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  const odd = isTextual ? [...ofValues, ...oddTexts] : [...oddTexts.slice(0, 2), ...ofValues, ...oddTexts.slice(2)];
  const candidates = [...odd.filter(([, text]) => text !== ""), ["empty", ""] as const];
  return confirmed(type, types, candidates);
}

function confirmed(
  type: SuiteType,
  types: SuiteTypes,
  candidates: readonly (readonly [name: string, text: string])[],
): readonly WrongText[] {
  const names = new UniqueNames();
  const seen = new Set<string>();
  const found: WrongText[] = [];
  for (const [name, text] of candidates) {
    if (found.length >= maximumTexts) break;
    if (seen.has(text) || spellsValueOf(type, text, types)) continue;
    seen.add(text);
    const number = /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : undefined;
    const flat = flatTypeOf(type, types);
    const [violation] = violationsOf(
      type,
      flat.kind === "number" && number !== undefined ? number : text,
      types,
      "request",
    );
    const { keyword = "type", place } = violation ?? {};
    found.push({ name: names.take(name), text, keyword, ...withPlace(place) });
  }
  return found;
}

/** As a parameter is written: of lists, with commas. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(textOf);
  return texts.some((text) => text === undefined || text.includes(",")) ? undefined : texts.join();
}
