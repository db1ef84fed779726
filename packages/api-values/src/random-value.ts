import { nextMultiple, type NumberNode, type StringNode, type TypeNode } from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
import { type FlatType, flatTypeOf } from "./flat-type.ts";
import { plausibleNumbers } from "./number-values.ts";
import { patternText } from "./pattern-text.ts";
import type { RandomSource } from "./random.ts";
import { frugalDepth, plainValues, Sampler } from "./sample-value.ts";

const attempts = 12;
/** Maximum length in characters of a string of unbounded length: a server need not accept everything. */
const maximumTextLength = 100;
/** Maximum number of bits of an unbounded number, for the same reason. */
const unboundedBits = 30;
/** Maximum number of items above the minimum. */
const furtherItems = 3;

/** Returns an unusual value of a type: other scripts, extremes, empty and full structures. Returns undefined if none was found. */
export function randomValueOf(type: TypeNode, types: NamedTypes, random: RandomSource): unknown {
  return new RandomSampler(types, random).valueOf(type, 0);
}

class RandomSampler extends Sampler {
  override *candidates(type: TypeNode, depth: number): Iterable<unknown> {
    const flat = flatTypeOf(type, this.types);
    for (let attempt = 0; depth < frugalDepth && attempt < attempts; attempt += 1) yield this.#draw(flat, depth);
    yield* super.candidates(type, depth);
  }

  /** Draws a random value; returns undefined for types that have only sample values. */
  #draw(flat: FlatType, depth: number): unknown {
    const { random } = this;
    switch (flat.kind) {
      case "any":
        return random.pick(plainValues);
      case "boolean":
        return random.next() < 0.5;
      case "string":
        return randomText(flat, random);
      case "number":
        return randomNumber(flat, random);
      case "enumeration":
        return flat.values.length === 0 ? undefined : random.pick(flat.values);
      case "list": {
        const { minItems = 0, maxItems = minItems + furtherItems } = flat;
        const most = Math.min(maxItems, minItems + furtherItems);
        return minItems > 200 ? undefined : this.list(flat, random.integer(minItems, most), depth);
      }
      case "record": {
        const share = random.pick([0, 0.5, 1]);
        return this.record(flat, ({ required }) => required || random.next() < share, depth);
      }
      case "union":
        return flat.members.length === 0 ? undefined : this.valueOf(random.pick(flat.members), depth + 1);
      default:
        return undefined;
    }
  }
}

function randomText(type: StringNode, random: RandomSource): string | undefined {
  const { minLength = 0, maxLength = maximumTextLength, pattern, format } = type;
  const most = Math.max(minLength, Math.min(maxLength, maximumTextLength));
  if (pattern !== undefined)
    return patternText(pattern, { random, stretch: random.pick([0, 0.1, 0.5, 1]), most: random.pick([2, 8, most]) });
  if (format !== undefined) return undefined;
  const length = random.pick([minLength, most, random.integer(minLength, Math.min(most, minLength + 20))]);
  const characters = random.pick(alphabets);
  return Array.from({ length }, () => random.pick(characters)).join("");
}

function randomNumber(type: NumberNode, random: RandomSource): unknown {
  if (random.next() < 0.4) return random.pick(plausibleNumbers(type));
  const low = Number(type.minimum ?? type.exclusiveMinimum ?? -(2 ** random.integer(1, unboundedBits)));
  const high = Number(type.maximum ?? type.exclusiveMaximum ?? Math.max(low, 0) + 2 ** random.integer(1, 53));
  const value = low + random.next() * (high - low);
  if (type.multipleOf !== undefined) return nextMultiple(value, type.multipleOf, 1);
  if (type.integer) return Math.floor(value);
  return Number(value.toPrecision(random.integer(1, 17)));
}

/** Letters; special characters of shells, URLs, SQL and JSON; other scripts, combining and astral characters; spaces. */
const alphabets: readonly (readonly string[])[] = [
  [..."abcxyz"],
  [..."abcXYZ019 -_."],
  [..."'\"\\/%&?#;<>{}[]$`*"],
  [..."äßñéλЖ中あ한עا"],
  ["e\u0301", "🌍", "👩", "\u200d", "𝒳", "a"].flatMap((text) => [...text]),
  [" ", "a", "\t", "\n"],
];
