import { nextMultiple } from "@nodewright/api-model";
import type { ListType, NumberType, RecordType, StringType, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { type FlatType, flatTypeOf } from "./flat-type.ts";
import { plausibleNumbers } from "./number-values.ts";
import { patternText } from "./pattern-text.ts";
import type { RandomSource } from "./random-source.ts";
import { sampleOf } from "./sample-value.ts";
import { textOfLength } from "./text-values.ts";
import { isValueOf } from "./violations.ts";

const attempts = 12;
const maximumDepth = 6;
/** Of a text whose length is bounded by nothing: a server need not take everything. */
const maximumTextLength = 100;
/** The same of a number. */
const unboundedBits = 30;
const maximumItems = 12;

/** A value of a type as nobody thinks of it: other scripts, extremes, empty and full structures. Undefined where none was found. */
export function randomValueOf(type: SuiteType, types: SuiteTypes, random: RandomSource): unknown {
  const maker = new RandomMaker(types, random);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const value = maker.valueOf(type, 0);
    if (value !== undefined && isValueOf(type, value, types, "request")) return value;
  }
  return sampleOf(type, types, random);
}

class RandomMaker {
  readonly #types: SuiteTypes;
  readonly #random: RandomSource;

  constructor(types: SuiteTypes, random: RandomSource) {
    this.#types = types;
    this.#random = random;
  }

  valueOf(type: SuiteType, depth: number): unknown {
    if (depth > maximumDepth) return sampleOf(type, this.#types, this.#random);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const value = this.#flatValue(flatTypeOf(type, this.#types), depth);
      if (value !== undefined && isValueOf(type, value, this.#types, "request")) return value;
    }
    return sampleOf(type, this.#types, this.#random);
  }

  #flatValue(flat: FlatType, depth: number): unknown {
    switch (flat.kind) {
      case "any":
        return this.#random.pick<unknown>([null, true, 0, -1, 1.5, "", "text", [], {}, [null], { "": null }]);
      case "never":
        return undefined;
      case "null":
        return null;
      case "boolean":
        return this.#random.next() < 0.5;
      case "bytes":
        return Buffer.from(textOfLength(this.#random.integer(0, 30), this.#random)).toString("base64");
      case "string":
        return this.#text(flat);
      case "number":
        return this.#number(flat);
      case "enumeration":
        return flat.values.length === 0 ? undefined : this.#random.pick(flat.values);
      case "list":
        return this.#list(flat, depth);
      case "record":
        return this.#record(flat, depth);
      case "union":
        return flat.members.length === 0 ? undefined : this.valueOf(this.#random.pick(flat.members), depth + 1);
    }
  }

  #text(type: StringType): unknown {
    const random = this.#random;
    const { minLength = 0, maxLength = maximumTextLength, pattern } = type;
    if (pattern !== undefined) {
      const stretch = random.pick([0, 0.1, 0.5, 1]);
      return patternText(pattern, {
        random,
        stretch,
        most: random.pick([2, 8, Math.min(maxLength, maximumTextLength)]),
      });
    }
    if (type.format !== undefined) return sampleOf(type, this.#types, random);
    const most = Math.max(minLength, Math.min(maxLength, maximumTextLength));
    const length = random.pick([minLength, most, random.integer(minLength, Math.min(most, minLength + 20))]);
    const characters = random.pick(alphabets);
    return Array.from({ length }, () => random.pick(characters)).join("");
  }

  #number(type: NumberType): unknown {
    const random = this.#random;
    if (random.next() < 0.4) return random.pick(plausibleNumbers(type));
    const low = Number(type.minimum ?? type.exclusiveMinimum ?? -(2 ** random.integer(1, unboundedBits)));
    const high = Number(type.maximum ?? type.exclusiveMaximum ?? Math.max(low, 0) + 2 ** random.integer(1, 53));
    const value = low + random.next() * (high - low);
    if (type.multipleOf !== undefined) return nextMultiple(value, type.multipleOf, 1);
    if (type.integer) return Math.floor(value);
    return Number(value.toPrecision(random.integer(1, 17)));
  }

  #list(type: ListType, depth: number): unknown {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = type;
    const most = Math.max(minItems, Math.min(maxItems, minItems + 3, maximumItems));
    const length = depth >= maximumDepth - 2 ? minItems : this.#random.integer(minItems, most);
    if (length > 200) return undefined;
    return Array.from({ length }, (_none, index) => this.valueOf(type.prefix?.[index] ?? type.element, depth + 1));
  }

  #record(type: RecordType, depth: number): unknown {
    const random = this.#random;
    const share = depth >= maximumDepth - 2 ? 0 : random.pick([0, 0.5, 1]);
    const members = type.members.filter(
      ({ access, required }) => access !== "read-only" && (required || random.next() < share),
    );
    const entries = members.map(({ name, type: member }) => [name, this.valueOf(member, depth + 1)] as const);
    const further = type.members.length === 0 && type.additional !== undefined ? this.#further(type, depth) : [];
    return Object.fromEntries([...entries, ...further].filter(([, value]) => value !== undefined));
  }

  /** Members of an object that is a map. */
  #further(type: RecordType, depth: number): readonly (readonly [string, unknown])[] {
    const names: SuiteType = type.names ?? { kind: "string", minLength: 1, maxLength: 12 };
    return Array.from({ length: this.#random.integer(0, 3) }, () => [
      String(this.valueOf(names, depth + 1)),
      this.valueOf(type.additional ?? { kind: "any" }, depth + 1),
    ]);
  }
}

/** Letters; what means something to shells, URLs, SQL and JSON; other scripts, combining and astral characters; spaces. */
const alphabets: readonly (readonly string[])[] = [
  [..."abcxyz"],
  [..."abcXYZ019 -_."],
  [..."'\"\\/%&?#;<>{}[]$`*"],
  [..."äßñéλЖ中あ한עا"],
  ["e\u0301", "🌍", "👩", "\u200d", "𝒳", "a"].flatMap((text) => [...text]),
  [" ", "a", "\t", "\n"],
];
