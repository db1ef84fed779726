import type { ApiModel, EnumerationNode, JsonValue, RecordNode, TypeNode } from "@nodewright/model";

/** How the runtime reads one value from text; the runtime's `ScalarDecoding`. */
export type ScalarDecoding = "string" | "number" | "bigint" | "boolean" | "scalar";

/** The runtime's `Decoding`. */
export type Decoding =
  | ScalarDecoding
  | { readonly list: ScalarDecoding }
  | { readonly record: Readonly<Record<string, ScalarDecoding>> };

/** How a parameter of the type is read from text. */
export function decodingOf(type: TypeNode, model: ApiModel): Decoding {
  const shapes = shapesOf(type, model, new Set());
  const list = shapes.find((shape) => shape.kind === "list");
  if (list !== undefined) return { list: combine([...list.prefix, list.element].map((one) => scalarOf(one, model))) };
  const records = shapes.filter((shape) => shape.kind === "record");
  if (records.length > 0) return { record: recordDecoding(records, model) };
  return scalarOf(type, model);
}

/** How a text of the type is read: what its characters spell. */
export function scalarOf(type: TypeNode, model: ApiModel): ScalarDecoding {
  return combine(shapesOf(type, model, new Set()).map(shapeDecoding));
}

/** Whether null is a value of the type. */
export function admitsNull(type: TypeNode, model: ApiModel): boolean {
  return shapesOf(type, model, new Set()).some(
    (shape) =>
      shape.kind === "null" || shape.kind === "any" || (shape.kind === "enumeration" && shape.values.includes(null)),
  );
}

/** The types that a value can have, behind references and unions. A recursive type ends where it comes back to itself. */
function shapesOf(type: TypeNode, model: ApiModel, seen: ReadonlySet<string>): readonly TypeNode[] {
  switch (type.kind) {
    case "reference": {
      if (seen.has(type.target)) return [];
      const declaration = model.declarations.find(({ name }) => name === type.target);
      return declaration === undefined ? [] : shapesOf(declaration.type, model, new Set([...seen, type.target]));
    }
    case "union":
    case "intersection":
      return type.members.flatMap((member) => shapesOf(member, model, seen));
    default:
      return [type];
  }
}

/** Undefined for what decides nothing. */
function shapeDecoding(shape: TypeNode): ScalarDecoding | undefined {
  switch (shape.kind) {
    case "number":
      return shape.representation === "bigint" ? "bigint" : "number";
    case "boolean":
      return "boolean";
    case "enumeration":
      return enumerationDecoding(shape);
    case "null":
    case "any":
    case "never":
      return undefined;
    default:
      return "string";
  }
}

function enumerationDecoding({ values }: EnumerationNode): ScalarDecoding | undefined {
  return combine(values.filter((value) => value !== null).map(valueDecoding));
}

function valueDecoding(value: JsonValue): ScalarDecoding {
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

function combine(decodings: readonly (ScalarDecoding | undefined)[]): ScalarDecoding {
  const [first = "string", ...others] = new Set(decodings.filter((decoding) => decoding !== undefined));
  return others.length === 0 ? first : "scalar";
}

function recordDecoding(records: readonly RecordNode[], model: ApiModel): Readonly<Record<string, ScalarDecoding>> {
  const fields = records.flatMap((record) => record.fields);
  return Object.fromEntries(fields.map(({ name, type }) => [name, scalarOf(type, model)]));
}
