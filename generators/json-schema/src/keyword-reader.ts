import type { ListNode, NumberNode, RecordNode, StringNode } from "@nodewright/model";
import { type Located, type Report, type SourceRange, withArticle } from "@nodewright/source";
import type { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";
import type { SchemaDialect } from "./schema-dialect.ts";

type StringFacts = Pick<StringNode, "minLength" | "maxLength" | "pattern" | "format">;
type NumberFacts = Omit<NumberNode, "kind" | "source" | "documentation" | "default">;
type ListFacts = Pick<ListNode, "minItems" | "maxItems" | "uniqueItems">;
type RecordFacts = Pick<RecordNode, "minProperties" | "maxProperties">;

/** Formats of integers whose range is part of the name (OpenAPI Format Registry). */
const integerFormats: Readonly<Record<string, { readonly minimum: bigint; readonly maximum: bigint }>> = {
  int8: { minimum: -(2n ** 7n), maximum: 2n ** 7n - 1n },
  uint8: { minimum: 0n, maximum: 2n ** 8n - 1n },
  int16: { minimum: -(2n ** 15n), maximum: 2n ** 15n - 1n },
  uint16: { minimum: 0n, maximum: 2n ** 16n - 1n },
  int32: { minimum: -(2n ** 31n), maximum: 2n ** 31n - 1n },
  uint32: { minimum: 0n, maximum: 2n ** 32n - 1n },
  int64: { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n },
  uint64: { minimum: 0n, maximum: 2n ** 64n - 1n },
};

/** The keywords of one schema that hold plain values, each checked for its own type. */
export class KeywordReader {
  readonly #schema: Located;
  readonly #report: Report<typeof jsonSchemaDiagnostics>;

  constructor(schema: Located, report: Report<typeof jsonSchemaDiagnostics>) {
    this.#schema = schema;
    this.#report = report;
  }

  stringFacts(): StringFacts {
    const pattern = this.#string("pattern");
    const isPattern =
      pattern !== undefined && this.isPattern(pattern, this.#schema.member("pattern")?.source ?? this.#schema.source);
    const facts = { ...this.#counts("minLength", "maxLength"), ...optional("format", this.#string("format")) };
    return isPattern ? { ...facts, pattern } : facts;
  }

  numberFacts(integer: boolean, dialect: SchemaDialect): NumberFacts {
    const format = this.#string("format");
    const bounds = dialect === "openapi-3.0" ? this.#boundsWithFlags() : this.#bounds();
    this.#checkOrder(bounds.minimum, bounds.maximum, "maximum");
    const multipleOf = this.#number("multipleOf");
    const ofFormat = integer && format !== undefined ? integerFormats[format] : undefined;
    const isAmount = !integer && format === "bitcoin-amount";
    return {
      integer,
      representation: isAmount ? "bitcoin-amount" : integer && isWide({ ...ofFormat, ...bounds }) ? "bigint" : "number",
      ...bounds,
      ...optional("multipleOf", multipleOf),
    };
  }

  listFacts(): ListFacts {
    return { ...this.#counts("minItems", "maxItems"), ...optional("uniqueItems", this.#boolean("uniqueItems")) };
  }

  recordFacts(): RecordFacts {
    return this.#counts("minProperties", "maxProperties");
  }

  requiredNames(): ReadonlySet<string> {
    const member = this.#schema.member("required");
    if (member === undefined) return new Set();
    if (member.node.kind !== "array") this.#wrongValue("required", "a list of names", member);
    const names = new Set<string>();
    for (const item of member.items) {
      if (item.string === undefined) this.#wrongValue("required", "a list of names", item);
      else names.add(item.string);
    }
    return names;
  }

  /** Whether a pattern is an ECMA-262 regular expression under the `u` flag; reports when it is not. */
  isPattern(pattern: string, source: SourceRange): boolean {
    try {
      new RegExp(pattern, "u");
      return true;
    } catch (reason) {
      const problem =
        reason instanceof Error ? reason.message.replace(/^Invalid regular expression: /, "") : String(reason);
      this.#report("invalid-pattern", source, { problem });
      return false;
    }
  }

  #bounds(): Pick<NumberFacts, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"> {
    return {
      ...optional("minimum", this.#exactNumber("minimum")),
      ...optional("maximum", this.#exactNumber("maximum")),
      ...optional("exclusiveMinimum", this.#exactNumber("exclusiveMinimum")),
      ...optional("exclusiveMaximum", this.#exactNumber("exclusiveMaximum")),
    };
  }

  /** OpenAPI 3.0 follows draft 4: `exclusiveMinimum: true` turns `minimum` into an exclusive bound. */
  #boundsWithFlags(): Pick<NumberFacts, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"> {
    const minimum = this.#exactNumber("minimum");
    const maximum = this.#exactNumber("maximum");
    return {
      ...optional(this.#boolean("exclusiveMinimum") === true ? "exclusiveMinimum" : "minimum", minimum),
      ...optional(this.#boolean("exclusiveMaximum") === true ? "exclusiveMaximum" : "maximum", maximum),
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
    const source = this.#schema.member(upperKeyword)?.source ?? this.#schema.source;
    this.#report("contradictory-bounds", source, { lower: String(lower), upper: String(upper) });
  }

  #count(keyword: string): number | undefined {
    const member = this.#schema.member(keyword);
    const value = member?.number;
    if (member === undefined) return undefined;
    if (value !== undefined && Number.isInteger(value) && value >= 0) return value;
    this.#wrongValue(keyword, "a whole number from 0 on", member);
    return undefined;
  }

  #number(keyword: string): number | undefined {
    const member = this.#schema.member(keyword);
    if (member !== undefined && member.number === undefined) this.#wrongValue(keyword, "a number", member);
    return member?.number;
  }

  /** An integer that a double would round is given as a bigint. */
  #exactNumber(keyword: string): number | bigint | undefined {
    const value = this.#number(keyword);
    const node = this.#schema.member(keyword)?.node;
    if (value === undefined || node?.kind !== "scalar") return undefined;
    const isRounded = Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?[0-9]+$/.test(node.text);
    return isRounded ? BigInt(node.text) : value;
  }

  #string(keyword: string): string | undefined {
    const member = this.#schema.member(keyword);
    if (member !== undefined && member.string === undefined) this.#wrongValue(keyword, "a string", member);
    return member?.string;
  }

  #boolean(keyword: string): boolean | undefined {
    const member = this.#schema.member(keyword);
    if (member !== undefined && member.boolean === undefined) this.#wrongValue(keyword, "true or false", member);
    return member?.boolean;
  }

  #wrongValue(keyword: string, expected: string, member: Located): void {
    this.#report("wrong-keyword-value", member.source, { keyword, expected, found: withArticle(member.typeName) });
  }
}

function isWide(bounds: Pick<NumberFacts, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum">): boolean {
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
