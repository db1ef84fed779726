import { assertNever } from "@nodewright/api-model";
import {
  additionalOf,
  type ApiModel,
  type EnumerationNode,
  type JsonValue,
  type ListNode,
  type RecordNode,
  type TypeNode,
} from "@nodewright/model";
import { declarationIndex } from "./declaration-index.ts";

/** How the runtime reads one value from text; the runtime's `ScalarDecoding`. */
export type ScalarDecoding = "string" | "number" | "integer" | "bigint" | "boolean" | "scalar";

/** The runtime's `Decoding`. */
export type Decoding = ScalarDecoding | StructureDecoding;

/** The runtime's `StructureDecoding`. A type, not an interface, so that it is a JSON value. */
type StructureDecoding = {
  readonly list?: Decoding;
  readonly record?: Readonly<Record<string, Decoding>>;
  readonly additional?: Decoding;
  readonly scalar?: ScalarDecoding;
};

/** Maximum depth of a structure that is decoded from text; deeper levels of a recursive type stay text. */
const deepestDecoding = 8;

/** Returns how a parameter, or a property of a form, is read from text. */
export function decodingOf(type: TypeNode, model: ApiModel): Decoding {
  return decodingAtDepth(type, model, deepestDecoding);
}

/** Returns how a text of the type is read, by the values that its characters can represent. */
export function scalarOf(type: TypeNode, model: ApiModel): ScalarDecoding {
  return combine(shapesOf(type, model).map(shapeDecoding)) ?? "string";
}

/** Returns whether null is a value of the type. */
export function admitsNull(type: TypeNode, model: ApiModel): boolean {
  return shapesOf(type, model).some(
    (shape) =>
      shape.kind === "null" || shape.kind === "any" || (shape.kind === "enumeration" && shape.values.includes(null)),
  );
}

/** Returns the possible types of a value, with references and combinations resolved. A recursive type ends where it refers to itself. */
export function shapesOf(type: TypeNode, model: ApiModel): readonly TypeNode[] {
  const shapes: TypeNode[] = [];
  addShapes(type, declarationIndex(model), new Set(), shapes);
  return shapes;
}

function addShapes(
  type: TypeNode,
  declarations: ReadonlyMap<string, TypeNode>,
  seen: Set<string>,
  shapes: TypeNode[],
): void {
  const add = (part: TypeNode): void => addShapes(part, declarations, seen, shapes);
  switch (type.kind) {
    case "reference": {
      const target = declarations.get(type.target);
      if (target === undefined || seen.has(type.target)) return;
      seen.add(type.target);
      add(target);
      return;
    }
    case "union":
    case "intersection":
      type.members.forEach(add);
      return;
    case "conditional":
      [type.consequence, type.alternative].forEach(add);
      return;
    case "unevaluated":
      add(type.base);
      return;
    case "not":
      return;
    default:
      shapes.push(type);
  }
}

function decodingAtDepth(type: TypeNode, model: ApiModel, depth: number): Decoding {
  const shapes = shapesOf(type, model);
  const lists = shapes.filter((shape) => shape.kind === "list");
  const records = shapes.filter((shape) => shape.kind === "record");
  const scalar = combine(shapes.map(shapeDecoding));
  if ((lists.length === 0 && records.length === 0) || depth === 0) return scalar ?? "string";
  return {
    ...(lists.length === 0 ? {} : { list: listDecoding(lists, model, depth - 1) }),
    ...(records.length === 0 ? {} : recordDecoding(records, model, depth - 1)),
    ...(scalar === undefined ? {} : { scalar }),
  };
}

function listDecoding(lists: readonly ListNode[], model: ApiModel, depth: number): Decoding {
  const elements = lists.flatMap(({ prefix = [], element }) => [...prefix, element]);
  return anyDecoding(elements, model, depth);
}

function recordDecoding(records: readonly RecordNode[], model: ApiModel, depth: number): StructureDecoding {
  const typesByName = new Map<string, TypeNode[]>();
  for (const field of records.flatMap((record) => record.members)) {
    const types = typesByName.get(field.name);
    if (types === undefined) typesByName.set(field.name, [field.type]);
    else types.push(field.type);
  }
  const others = records.flatMap((record) => [
    additionalOf(record),
    ...(record.patterns ?? []).map(({ type }) => type),
  ]);
  const additional = anyDecoding(others, model, depth);
  return {
    record: Object.fromEntries([...typesByName].map(([name, types]) => [name, anyDecoding(types, model, depth)])),
    ...(additional === "string" ? {} : { additional }),
  };
}

/** Returns how a value of one of some types is read. */
function anyDecoding(types: readonly TypeNode[], model: ApiModel, depth: number): Decoding {
  const [first] = types;
  if (first === undefined) return "string";
  const type: TypeNode =
    types.length === 1 ? first : { kind: "union", mode: "any-of", members: types, source: first.source };
  return decodingAtDepth(type, model, depth);
}

/** Returns the decoding of a shape; undefined for one that decides nothing. */
function shapeDecoding(shape: TypeNode): ScalarDecoding | undefined {
  switch (shape.kind) {
    case "number":
      if (shape.representation === "bigint") return "bigint";
      return shape.integer ? "integer" : "number";
    case "boolean":
      return "boolean";
    case "enumeration":
      return enumerationDecoding(shape);
    case "string":
    case "bytes":
      return "string";
    case "null":
    case "any":
    case "never":
    case "list":
    case "record":
    case "not":
    case "union":
    case "intersection":
    case "conditional":
    case "unevaluated":
    case "reference":
      return undefined;
    default:
      return assertNever(shape);
  }
}

function enumerationDecoding({ values }: EnumerationNode): ScalarDecoding | undefined {
  return combine(values.filter((value) => value !== null).map(valueDecoding));
}

function valueDecoding(value: JsonValue): ScalarDecoding {
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

/** Combines decodings: kinds of numbers to the one that includes them all, others to whatever the text represents. */
function combine(decodings: readonly (ScalarDecoding | undefined)[]): ScalarDecoding | undefined {
  const kinds = new Set(decodings.filter((decoding) => decoding !== undefined));
  const [first, ...others] = kinds;
  if (others.length === 0) return first;
  if (kinds.size === 2 && kinds.has("integer")) {
    if (kinds.has("number")) return "number";
    if (kinds.has("bigint")) return "bigint";
  }
  return "scalar";
}
