import { assertNever } from "./assert-never.ts";
import type { ApiModel } from "./operation.ts";
import type { JsonValue, RecordNode, TypeNode, UnionNode } from "./type-node.ts";

/** Whether a wire value is of a type: for documents and probes; servers and clients have validators of their own, generated. */
export function isOfType(value: JsonValue, type: TypeNode, model: ApiModel): boolean {
  switch (type.kind) {
    case "any":
      return true;
    case "never":
      return false;
    case "null":
      return value === null;
    case "boolean":
      return typeof value === "boolean";
    case "string":
      return typeof value === "string" && isTextOfType(value, type);
    case "bytes":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && isNumberOfType(value, type);
    case "enumeration":
      return type.values.some((one) => JSON.stringify(one) === JSON.stringify(value));
    case "list":
      return isList(value) && isListOfType(value, type, model);
    case "record":
      return isRecord(value) && isRecordOfType(value, type, model);
    case "union":
      return isOfUnion(value, type, model);
    case "intersection":
      return type.members.every((member) => isOfType(value, member, model));
    case "reference":
      return isOfType(value, resolveType(type, model), model);
    default:
      return assertNever(type);
  }
}

/** Whether a text in a URL or header spells a value of a type: as a text, as a number or as a boolean. */
export function spellsType(text: string, type: TypeNode, model: ApiModel): boolean {
  const isNumber = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text);
  const readings: readonly JsonValue[] = [
    text,
    ...(isNumber ? [Number(text)] : []),
    ...(text === "true" || text === "false" ? [text === "true"] : []),
  ];
  return readings.some((reading) => isOfType(reading, type, model));
}

/** The type that a reference leads to. */
export function resolveType(type: TypeNode, model: ApiModel): TypeNode {
  let resolved = type;
  // Each step leads to another declaration; a circle of bare references is refused when the document is read.
  for (let step = 0; resolved.kind === "reference" && step <= model.declarations.length; step += 1) {
    const { target } = resolved;
    const declaration = model.declarations.find(({ name }) => name === target);
    if (declaration === undefined) throw new Error(`The model has no "${target}"`);
    resolved = declaration.type;
  }
  return resolved;
}

function isTextOfType(value: string, type: Extract<TypeNode, { kind: "string" }>): boolean {
  const length = [...value].length;
  if (type.minLength !== undefined && length < type.minLength) return false;
  if (type.maxLength !== undefined && length > type.maxLength) return false;
  return type.pattern === undefined || new RegExp(type.pattern, "u").test(value);
}

function isNumberOfType(value: number, type: Extract<TypeNode, { kind: "number" }>): boolean {
  if (type.integer && !Number.isInteger(value)) return false;
  if (type.minimum !== undefined && value < type.minimum) return false;
  if (type.maximum !== undefined && value > type.maximum) return false;
  if (type.exclusiveMinimum !== undefined && value <= type.exclusiveMinimum) return false;
  if (type.exclusiveMaximum !== undefined && value >= type.exclusiveMaximum) return false;
  return type.multipleOf === undefined || Number.isInteger(value / type.multipleOf);
}

function isListOfType(
  value: readonly JsonValue[],
  type: Extract<TypeNode, { kind: "list" }>,
  model: ApiModel,
): boolean {
  if (type.minItems !== undefined && value.length < type.minItems) return false;
  if (type.maxItems !== undefined && value.length > type.maxItems) return false;
  if (type.uniqueItems === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length) return false;
  return value.every((item, index) => isOfType(item, type.prefix[index] ?? type.element, model));
}

function isRecordOfType(value: Readonly<Record<string, JsonValue>>, type: RecordNode, model: ApiModel): boolean {
  const names = Object.keys(value);
  if (type.minProperties !== undefined && names.length < type.minProperties) return false;
  if (type.maxProperties !== undefined && names.length > type.maxProperties) return false;
  if (type.fields.some(({ name, required }) => required && !Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, member]) => isMemberOfType(name, member, type, model));
}

function isMemberOfType(name: string, member: JsonValue, type: RecordNode, model: ApiModel): boolean {
  const field = type.fields.find((candidate) => candidate.name === name);
  const patterns = type.patterns.filter(({ pattern }) => new RegExp(pattern, "u").test(name));
  const types = [...(field === undefined ? [] : [field.type]), ...patterns.map((pattern) => pattern.type)];
  return (types.length === 0 ? [type.additional] : types).every((one) => isOfType(member, one, model));
}

function isOfUnion(value: JsonValue, type: UnionNode, model: ApiModel): boolean {
  const matching = type.members.filter((member) => isOfType(value, member, model)).length;
  return type.mode === "one-of" ? matching === 1 : matching > 0;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isRecord(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
