import { type ApiModel, type JsonValue, type RecordNode, resolveType, type TypeNode } from "@nodewright/model";

/** A value in memory that is meant to match a type: bytes stand for binary contents. */
export type SampledValue = JsonValue | Uint8Array | { readonly [name: string]: SampledValue } | readonly SampledValue[];

/** Texts of the formats that documents name most. */
const textOfFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  time: "03:04:05Z",
  email: "someone@example.com",
  uri: "https://example.com/a",
  url: "https://example.com/a",
  uuid: "7f2c1a6e-3b1d-4f0e-9a52-0f2d4c6b8e10",
  ipv4: "192.0.2.1",
  hostname: "example.com",
};

const maximumDepth = 12;

/** The plainest value of a type: required members alone, or one member, because forms cannot say an empty record; first alternatives. A type may be too clever for it: check the value. */
export function sampleValue(type: TypeNode, model: ApiModel, depth = 0): SampledValue {
  if (type.default !== undefined) return type.default;
  const documented = type.documentation?.examples?.[0];
  if (documented !== undefined && depth > 0 && type.kind !== "bytes") return documented;
  if (depth > maximumDepth) return null;
  const inside = (inner: TypeNode): SampledValue => sampleValue(inner, model, depth + 1);
  switch (type.kind) {
    case "boolean":
      return true;
    case "string":
      return textOf(type);
    case "bytes":
      return new Uint8Array([0, 1, 2, 250]);
    case "number":
      return Number(type.minimum ?? (type.exclusiveMinimum === undefined ? 1 : Number(type.exclusiveMinimum) + 1));
    case "enumeration":
      return type.values[0] ?? null;
    case "list":
      return [
        ...type.prefix.map(inside),
        ...Array.from({ length: Math.max(0, (type.minItems ?? 1) - type.prefix.length) }, () => inside(type.element)),
      ];
    case "record":
      return recordOf(type, inside);
    case "union":
      return inside(type.members.find(({ kind }) => kind !== "null") ?? type);
    case "intersection":
      return merged(type.members.map(inside));
    case "unevaluated":
      return inside(type.base);
    case "conditional":
      return inside(type.consequence);
    case "reference":
      return inside(resolveType(type, model));
    default:
      return null;
  }
}

function recordOf({ fields, additional }: RecordNode, inside: (type: TypeNode) => SampledValue): SampledValue {
  const required = fields.filter((field) => field.required);
  const shown = required.length > 0 ? required : fields.filter(({ type }) => type.kind !== "never").slice(0, 1);
  if (shown.length === 0 && additional.kind !== "any" && additional.kind !== "never")
    return { other: inside(additional) };
  return Object.fromEntries(shown.map(({ name, type }) => [name, inside(type)]));
}

function textOf({ format = "", minLength = 0, maxLength }: Extract<TypeNode, { kind: "string" }>): string {
  const text = textOfFormat[format] ?? "text";
  const long = text.length < minLength ? text.padEnd(minLength, "x") : text;
  return maxLength === undefined ? long : long.slice(0, maxLength);
}

/** All members hold at once: of records everything that any of them asks for, else the last that says something. */
function merged(values: readonly SampledValue[]): SampledValue {
  const records = values.filter((value) => typeof value === "object" && value !== null && !Array.isArray(value));
  if (records.length > 0 && !records.some((value) => value instanceof Uint8Array))
    return Object.assign({}, ...records) as SampledValue;
  return values.findLast((value) => value !== null) ?? null;
}
