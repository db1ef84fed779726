import type { ListNode, NumberNode, RecordNode, StringNode } from "@nodewright/model";
import type { SourceValue, Report } from "@nodewright/source";
import type { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";
import { readPattern } from "./pattern.ts";
import type { DialectFacts } from "./schema-dialect.ts";

type StringFacts = Pick<StringNode, "minLength" | "maxLength" | "pattern" | "format">;
type NumberFacts = Omit<NumberNode, "kind" | "source" | "documentation" | "default">;
type NumberBounds = Pick<NumberFacts, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum">;
type ListFacts = Pick<ListNode, "minItems" | "maxItems" | "uniqueItems">;
type RecordFacts = Pick<RecordNode, "minProperties" | "maxProperties">;

/** Formats of integers that a double may round, with their ranges (OpenAPI Format Registry). */
const wideFormats: ReadonlyMap<string, { readonly minimum: bigint; readonly maximum: bigint }> = new Map([
  ["int64", { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }],
  ["uint64", { minimum: 0n, maximum: 2n ** 64n - 1n }],
]);

/** Keywords of one schema with plain values. Invalid values are ignored: `checkKeywords` reports them. */
export class KeywordReader {
  readonly #schema: SourceValue;
  readonly #report: Report<typeof jsonSchemaDiagnostics>;
  readonly #dialect: DialectFacts;

  constructor(schema: SourceValue, dialect: DialectFacts, report: Report<typeof jsonSchemaDiagnostics>) {
    this.#schema = schema;
    this.#dialect = dialect;
    this.#report = report;
  }

  stringFacts(): StringFacts {
    const place = this.#schema.member("pattern");
    const written = place?.string;
    const lengths = this.#counts("minLength", "maxLength");
    const pattern =
      written === undefined ? undefined : readPattern(written, () => place?.source, this.#report, lengths.maxLength);
    return {
      ...lengths,
      ...optional("format", this.#schema.member("format")?.string),
      ...optional("pattern", pattern),
    };
  }

  numberFacts(integer: boolean): NumberFacts {
    const format = this.#schema.member("format")?.string;
    const bounds = this.#dialect.hasExclusiveFlags ? this.#boundsWithFlags() : this.#bounds();
    this.#checkOrder(bounds.minimum, bounds.maximum, "maximum");
    const multipleOf = this.#schema.member("multipleOf")?.number;
    const ofFormat = integer && format !== undefined ? wideFormats.get(format) : undefined;
    const isAmount = !integer && format === "bitcoin-amount";
    return {
      integer,
      representation: isAmount ? "bitcoin-amount" : integer && isWide({ ...ofFormat, ...bounds }) ? "bigint" : "number",
      ...bounds,
      ...(multipleOf !== undefined && multipleOf > 0 ? { multipleOf } : {}),
    };
  }

  listFacts(): ListFacts {
    return {
      ...this.#counts("minItems", "maxItems"),
      ...optional("uniqueItems", this.#schema.member("uniqueItems")?.boolean),
    };
  }

  /** Returns the number of elements that must match `contains`. */
  containsFacts(): { readonly minimum: number; readonly maximum?: number } {
    return { minimum: this.#count("minContains") ?? 1, ...optional("maximum", this.#count("maxContains")) };
  }

  recordFacts(): RecordFacts {
    return this.#counts("minProperties", "maxProperties");
  }

  requiredNames(): ReadonlySet<string> {
    const names = this.#schema.member("required")?.items.map(({ string }) => string);
    return new Set((names ?? []).filter((name) => name !== undefined));
  }

  #bounds(): NumberBounds {
    return {
      ...optional("minimum", this.#exactNumber("minimum")),
      ...optional("maximum", this.#exactNumber("maximum")),
      ...optional("exclusiveMinimum", this.#exactNumber("exclusiveMinimum")),
      ...optional("exclusiveMaximum", this.#exactNumber("exclusiveMaximum")),
    };
  }

  /** Returns the bounds of a draft 4 or OpenAPI 3.0 schema, where `exclusiveMinimum: true` makes `minimum` an exclusive bound. */
  #boundsWithFlags(): NumberBounds {
    const isSet = (keyword: string): boolean => this.#schema.member(keyword)?.boolean === true;
    const { minimum, maximum, ...exclusive } = this.#bounds();
    return {
      ...exclusive,
      ...optional(isSet("exclusiveMinimum") ? "exclusiveMinimum" : "minimum", minimum),
      ...optional(isSet("exclusiveMaximum") ? "exclusiveMaximum" : "maximum", maximum),
    };
  }

  #counts<Lower extends string, Upper extends string>(
    lower: Lower,
    upper: Upper,
  ): { readonly [Name in Lower | Upper]?: number } {
    const least = this.#count(lower);
    const most = this.#count(upper);
    this.#checkOrder(least, most, upper);
    return { ...optional(lower, least), ...optional(upper, most) } as { readonly [Name in Lower | Upper]?: number };
  }

  #checkOrder(lower: number | bigint | undefined, upper: number | bigint | undefined, upperKeyword: string): void {
    if (lower === undefined || upper === undefined || lower <= upper) return;
    const source = this.#schema.memberSource(upperKeyword);
    this.#report("contradictory-bounds", source, { lower: String(lower), upper: String(upper) });
  }

  #count(keyword: string): number | undefined {
    const value = this.#schema.member(keyword)?.number;
    return value !== undefined && Number.isInteger(value) && value >= 0 ? value : undefined;
  }

  /** Returns the value of a keyword; as a bigint if it is an integer that a double would round. */
  #exactNumber(keyword: string): number | bigint | undefined {
    const node = this.#schema.member(keyword)?.node;
    if (node?.kind !== "scalar" || typeof node.value !== "number") return undefined;
    const isRounded = Math.abs(node.value) > Number.MAX_SAFE_INTEGER && /^-?[0-9]+$/.test(node.text);
    return isRounded ? BigInt(node.text) : node.value;
  }
}

function isWide(bounds: NumberBounds): boolean {
  const limit = Number.MAX_SAFE_INTEGER;
  const upper = bounds.maximum ?? bounds.exclusiveMaximum;
  const lower = bounds.minimum ?? bounds.exclusiveMinimum;
  return (upper !== undefined && upper > limit) || (lower !== undefined && lower < -limit);
}

function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]?: Value });
}
