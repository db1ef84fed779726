import type {
  EnumerationType,
  ListType,
  NumberType,
  RecordMember,
  RecordType,
  StringType,
  SuiteType,
  SuiteTypes,
  UnionType,
} from "../suite/suite-type.ts";
import { kindOf } from "@nodewright/api-model";
import { type FlatType, flatTypeOf } from "./flat-type.ts";
import { neighbours, plainInteger } from "./number-values.ts";
import type { RandomSource } from "./random-source.ts";
import { sampleOf } from "./sample-value.ts";
import { isValueOf } from "./violations.ts";

/** A value that is probably refused. */
export interface WrongCandidate {
  readonly name: string;
  readonly value: unknown;
  /** Lower is played earlier. */
  readonly worth: number;
}

/** How soon a mistake is tried: what servers check least comes first. */
const worths = { constraint: 0, missing: 1, variant: 2, nearKind: 3, null: 4, kind: 5, farKind: 6 } as const;

/** What is inside comes after what is outside, by this for each level. */
const worthOfLevel = 0.5;
const maximumDepth = 3;
const maximumItems = 1000;
const maximumLength = 4096;
const maximumMembers = 40;
/** Of one part of a value. */
const maximumInside = 8;

/** Makes values that break constraints; each has still to be held against the whole type. */
export class WrongMaker {
  readonly #types: SuiteTypes;
  readonly #random: RandomSource;

  constructor(types: SuiteTypes, random: RandomSource) {
    this.#types = types;
    this.#random = random;
  }

  /** `base` is a value of the type, or undefined where none is known. */
  wrongsOf(type: SuiteType, base: unknown, depth: number): readonly WrongCandidate[] {
    const flat = flatTypeOf(type, this.#types);
    return [...this.#constraints(flat, base, depth), ...this.#otherKinds(flat, base)];
  }

  #constraints(flat: FlatType, base: unknown, depth: number): readonly WrongCandidate[] {
    switch (flat.kind) {
      case "string":
        return wrongTexts(flat, base);
      case "number":
        return wrongNumbers(flat, base);
      case "enumeration":
        return unlisted(flat, base);
      case "list":
        return this.#wrongLists(flat, base, depth);
      case "record":
        return this.#wrongRecords(flat, base, depth);
      case "union":
        return this.#wrongOfUnion(flat, base, depth);
      case "any":
      case "never":
      case "null":
      case "boolean":
      case "bytes":
        return [];
    }
  }

  /** Values of every other kind. The caller leaves out what is allowed. */
  *#otherKinds(flat: FlatType, base: unknown): Iterable<WrongCandidate> {
    const kind =
      flat.kind === "enumeration" ? kindOf(flat.values[0]) : flat.kind === "union" ? kindOf(base) : flat.kind;
    if (kind === "number" && base !== undefined && base !== null) yield near("number-as-text", String(base));
    if (kind === "boolean") yield* [near("boolean-as-text", "true"), near("boolean-as-number", 1)];
    if (kind === "list" && Array.isArray(base) && base.length > 0) yield near("item-alone", base[0]);
    if (kind === "record") yield near("object-in-list", [base ?? {}]);
    yield { name: "null", value: null, worth: worths.null };
    yield { name: "number", value: 5, worth: kind === "string" ? worths.nearKind : worths.kind };
    yield { name: "text", value: "text", worth: worths.kind };
    yield { name: "boolean", value: true, worth: worths.kind };
    yield { name: "list", value: kind === "record" ? [] : ["text"], worth: worths.farKind };
    yield { name: "object", value: { unexpected: "text" }, worth: worths.farKind };
    if (kind === "list") yield { name: "empty-object", value: {}, worth: worths.farKind };
  }

  #wrongOfUnion(type: UnionType, base: unknown, depth: number): readonly WrongCandidate[] {
    const members = type.members.filter((member) => flatTypeOf(member, this.#types).kind !== "null");
    const own = members.filter((member) => isValueOf(member, base, this.#types, "request"));
    const others = members.filter((member) => !own.includes(member)).slice(0, 8);
    const ofOthers = others.flatMap((member) => {
      const sample = sampleOf(member, this.#types, this.#random);
      const number = type.members.indexOf(member) + 1;
      return this.#constraints(flatTypeOf(member, this.#types), sample, depth + 1)
        .slice(0, maximumInside)
        .map((one) => ({ ...one, name: `arm-${number}-${one.name}`, worth: one.worth + worthOfLevel }));
    });
    return [...own.flatMap((member) => this.#constraints(flatTypeOf(member, this.#types), base, depth)), ...ofOthers];
  }

  #wrongLists(type: ListType, base: unknown, depth: number): readonly WrongCandidate[] {
    const items: readonly unknown[] = Array.isArray(base) ? base : [];
    const found: WrongCandidate[] = [];
    const { minItems = 0, maxItems } = type;
    if (minItems > 0) found.push(main("too-few-items", items.slice(0, minItems - 1)));
    const filler = items[0] ?? sampleOf(type.element, this.#types, this.#random);
    if (maxItems !== undefined && maxItems < maximumItems) {
      const more = Array.from({ length: maxItems + 1 - items.length }, () => filler);
      found.push(main("too-many-items", this.#distinct(type, [...items, ...more])));
    }
    if (type.uniqueItems === true && filler !== undefined) {
      const isFull = maxItems !== undefined && items.length >= maxItems && items.length > 1;
      found.push(
        main("equal-items", isFull ? [...items.slice(0, -1), filler] : [...(items.length ? items : [filler]), filler]),
      );
    }
    if (type.contains !== undefined) {
      const { type: wanted } = type.contains;
      found.push(
        main(
          "without-what-it-contains",
          items.filter((item) => !isValueOf(wanted, item, this.#types, "request")),
        ),
      );
    }
    if (type.prefix !== undefined && type.prefix.length > 0 && type.element.kind === "never")
      found.push(variant("further-item", [...items, filler ?? "text"]));
    return [...found, ...this.#wrongItems(type, items, filler, depth)];
  }

  /** Items that are told apart where equal ones would be wrong for another reason. */
  #distinct(type: ListType, items: readonly unknown[]): readonly unknown[] {
    if (type.uniqueItems !== true) return items;
    const sample = sampleOf(
      { kind: "list", element: type.element, uniqueItems: true, minItems: items.length },
      this.#types,
      this.#random,
    );
    return Array.isArray(sample) ? sample : items;
  }

  #wrongItems(type: ListType, items: readonly unknown[], filler: unknown, depth: number): readonly WrongCandidate[] {
    if (depth >= maximumDepth) return [];
    const start = items.length > 0 || filler === undefined ? items : [filler];
    const prefix = (type.prefix ?? []).slice(0, 4);
    const places = start.length > prefix.length ? [...prefix.keys(), prefix.length] : [...start.keys()];
    return places.flatMap((index) =>
      this.#inside(prefix[index] ?? type.element, start[index], depth).map((one) => ({
        ...one,
        name: prefix.length > 0 ? `item-${index + 1}-${one.name}` : `item-${one.name}`,
        value: start.with(index, one.value),
      })),
    );
  }

  /** What is wrong in a part, the best of it. */
  #inside(type: SuiteType, base: unknown, depth: number): readonly WrongCandidate[] {
    const found = this.wrongsOf(type, base, depth + 1).filter(
      ({ value }) => !isValueOf(type, value, this.#types, "request"),
    );
    return found
      .toSorted((left, right) => left.worth - right.worth)
      .slice(0, maximumInside)
      .map((one) => ({ ...one, worth: one.worth + worthOfLevel }));
  }

  #wrongRecords(type: RecordType, base: unknown, depth: number): readonly WrongCandidate[] {
    const record: Readonly<Record<string, unknown>> =
      kindOf(base) === "record" ? (base as Record<string, unknown>) : {};
    const members = type.members.filter(({ access }) => access !== "read-only").slice(0, maximumMembers);
    const found: WrongCandidate[] = [];
    for (const { name, required } of members) {
      if (Object.hasOwn(record, name))
        found.push({
          name: `without-${name}`,
          value: without(record, name),
          worth: required ? worths.missing : worths.variant,
        });
    }
    const names = Object.keys(record);
    found.push(variant("unexpected-member", { ...record, unexpectedMember: "text" }));
    if (type.minProperties !== undefined && names.length >= type.minProperties)
      found.push(main("too-few-members", Object.fromEntries(Object.entries(record).slice(0, type.minProperties - 1))));
    if (type.maxProperties !== undefined && type.maxProperties < maximumItems)
      found.push(main("too-many-members", this.#grown(type, record, type.maxProperties + 1)));
    if (type.names !== undefined) {
      const value = this.#furtherMember(type);
      for (const name of ["", " ", "!", "x".repeat(300)])
        found.push(variant("wrong-name", { ...record, [name]: value }));
    }
    for (const { property } of type.dependencies ?? []) {
      if (!Object.hasOwn(record, property))
        found.push(main(`only-${property}`, this.#withMember(type, record, property)));
    }
    if (depth < maximumDepth) found.push(...this.#wrongMembers(type, members, record, depth));
    return found;
  }

  #wrongMembers(
    type: RecordType,
    members: readonly RecordMember[],
    record: Readonly<Record<string, unknown>>,
    depth: number,
  ): readonly WrongCandidate[] {
    const named = members.flatMap((member) => {
      const base = Object.hasOwn(record, member.name)
        ? record[member.name]
        : sampleOf(member.type, this.#types, this.#random);
      return this.#inside(member.type, base, depth).map((one) => ({
        ...one,
        name: `${member.name}-${one.name}`,
        value: { ...record, [member.name]: one.value },
      }));
    });
    const [known] = Object.keys(record).filter((name) => !members.some((member) => member.name === name));
    const { additional } = type;
    if (additional === undefined || additional.kind === "any" || additional.kind === "never") return named;
    const name = known ?? "further";
    const others = this.#inside(additional, record[name] ?? this.#furtherMember(type), depth);
    return [
      ...named,
      ...others.map((one) => ({ ...one, name: `further-${one.name}`, value: { ...record, [name]: one.value } })),
    ];
  }

  #withMember(type: RecordType, record: Readonly<Record<string, unknown>>, name: string): unknown {
    const member = type.members.find((one) => one.name === name);
    return { ...record, [name]: member === undefined ? "text" : sampleOf(member.type, this.#types, this.#random) };
  }

  #furtherMember(type: RecordType): unknown {
    return sampleOf(type.additional ?? { kind: "any" }, this.#types, this.#random) ?? "text";
  }

  /** With members that are allowed, but too many. */
  #grown(type: RecordType, record: Readonly<Record<string, unknown>>, count: number): unknown {
    const grown: Record<string, unknown> = { ...record };
    for (const { name } of type.members) {
      if (Object.keys(grown).length >= count) break;
      if (!Object.hasOwn(grown, name)) Object.assign(grown, this.#withMember(type, {}, name));
    }
    const further = this.#furtherMember(type);
    for (let index = 1; Object.keys(grown).length < count; index += 1) grown[`further${index}`] = further;
    return grown;
  }
}

function main(name: string, value: unknown): WrongCandidate {
  return { name, value, worth: worths.constraint };
}

function variant(name: string, value: unknown): WrongCandidate {
  return { name, value, worth: worths.variant };
}

function near(name: string, value: unknown): WrongCandidate {
  return { name, value, worth: worths.nearKind };
}

function without(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== name));
}

function wrongNumbers(type: NumberType, base: unknown): readonly WrongCandidate[] {
  const found: WrongCandidate[] = [];
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = type;
  if (minimum !== undefined) found.push(main("below-minimum", beside(minimum, type, -1)));
  if (maximum !== undefined) found.push(main("above-maximum", beside(maximum, type, 1)));
  if (above !== undefined) found.push(main("at-exclusive-minimum", above));
  if (below !== undefined) found.push(main("at-exclusive-maximum", below));
  const number = typeof base === "number" ? base : 1;
  if (type.integer) found.push(main("fraction", fractionNear(number, maximum)));
  if (type.multipleOf !== undefined) {
    const half = type.multipleOf / 2;
    found.push(main("not-a-multiple", number + (type.integer && half % 1 !== 0 ? 1 : half)));
    found.push(variant("not-a-multiple", number + 1));
  }
  if (minimum !== undefined || above !== undefined) found.push(variant("far-below-minimum", -(2 ** 53)));
  if (maximum !== undefined || below !== undefined) {
    found.push(variant("beyond-64-bits", 2n ** 64n));
    found.push({ ...variant("far-above-maximum", Number.MAX_VALUE), worth: worths.kind });
  }
  return found;
}

function fractionNear(number: number, maximum: number | bigint | undefined): number {
  const whole = Number.isSafeInteger(number) && Math.abs(number) < 2 ** 50 ? number : 1;
  return maximum !== undefined && whole + 0.5 > Number(maximum) ? whole - 0.5 : whole + 0.5;
}

function beside(bound: number | bigint, type: NumberType, way: 1 | -1): number | bigint {
  if (typeof bound === "bigint") return plainInteger(bound + BigInt(way));
  if (Number.isSafeInteger(bound) && Math.abs(bound) === Number.MAX_SAFE_INTEGER) return BigInt(bound) + BigInt(way);
  const numbers = neighbours(bound, type).map(Number);
  return way === 1 ? Math.max(...numbers) : Math.min(...numbers);
}

function unlisted({ values }: EnumerationType, base: unknown): readonly WrongCandidate[] {
  const start = base ?? values[0];
  const found: WrongCandidate[] = [];
  if (typeof start === "string") {
    found.push(main("not-listed", `${start}x`), variant("other-case", otherCase(start)), variant("empty", ""));
    found.push(variant("trailing-space", `${start} `));
  }
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length > 0)
    found.push(main("not-listed", Math.max(...numbers) + 1), variant("fraction", (numbers[0] ?? 0) + 0.5));
  if (typeof start === "boolean") found.push(main("not-listed", !start));
  return found;
}

function otherCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

function wrongTexts(type: StringType, base: unknown): readonly WrongCandidate[] {
  const text = typeof base === "string" ? base : "text";
  const { minLength = 0, maxLength, pattern } = type;
  const found: WrongCandidate[] = [];
  if (minLength > 0)
    found.push(main(minLength === 1 ? "empty" : "too-short", [...text].slice(0, minLength - 1).join("")));
  if (maxLength !== undefined && maxLength < maximumLength)
    found.push(main("too-long", stretched(text, maxLength + 1)));
  if (pattern === undefined) return found;
  const last = text.at(-1) ?? "x";
  const middle = Math.floor(text.length / 2);
  return [
    ...found,
    main("foreign-character", `${text.slice(0, -1)}!`),
    main("cut", text.slice(0, -1)),
    main("lengthened", text + last),
    variant("other-letter", `${text.slice(0, middle)}z${text.slice(middle + 1)}`),
    variant("other-case", text.toUpperCase()),
    variant("other-case", text.toLowerCase()),
    variant("empty", ""),
    variant("space-inside", `${text.slice(0, middle)} ${text.slice(middle)}`),
    variant("other-prefix", `0x${text}`),
    variant("no-prefix", text.replace(/^0x/, "")),
    variant("other-script", `${text.slice(0, -1)}ß`),
    { name: "doubled", value: text + text, worth: worths.nearKind },
    { name: "unlike", value: "not of the pattern", worth: worths.nearKind },
    { name: "trailing-line-break", value: `${text}\n`, worth: worths.kind },
  ];
}

/** A text of a length, made longer with its own characters. */
function stretched(text: string, length: number): string {
  const characters = [...(text === "" ? "x" : text)];
  const last = characters.at(-1) ?? "x";
  return [...characters, ...Array.from({ length: Math.max(0, length - characters.length) }, () => last)].join("");
}
