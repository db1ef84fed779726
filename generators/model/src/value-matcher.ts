import { assertNever } from "./assert-never.ts";
import { isMultipleOf } from "./decimal.ts";
import { evaluatedElements, evaluatedMembers } from "./evaluated-parts.ts";
import { canonicalText, isJsonList, isJsonRecord } from "./json-equality.ts";
import { resolveType } from "./model-declarations.ts";
import type { ApiModel } from "./operation.ts";
import { patternMatches } from "./pattern-cache.ts";
import type {
  EnumerationNode,
  JsonValue,
  ListNode,
  NumberNode,
  RecordNode,
  StringNode,
  TypeNode,
  UnevaluatedNode,
  UnionNode,
} from "./type-node.ts";

/** The part of a model that values are held against. */
export type Declarations = Pick<ApiModel, "declarations">;

/** Whether a wire value is of a type: for documents and probes; servers and clients have validators of their own, generated. */
export function isOfType(value: JsonValue, type: TypeNode, model: Declarations): boolean {
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
      return typeof value === "string" ? isTextOfType(value, type) : type.isKindImplied === true;
    case "bytes":
      return typeof value === "string";
    case "number":
      return typeof value === "number" ? isNumberOfType(value, type) : type.isKindImplied === true;
    case "enumeration":
      return canonicalValues(type).has(canonicalText(value));
    case "list":
      return isJsonList(value) ? isListOfType(value, type, model) : type.isKindImplied === true;
    case "record":
      return isJsonRecord(value) ? isRecordOfType(value, type, model) : type.isKindImplied === true;
    case "union":
      return isOfUnion(value, type, model);
    case "intersection":
      return type.members.every((member) => isOfType(value, member, model));
    case "not":
      return !isOfType(value, type.type, model);
    case "conditional":
      return isOfType(value, isOfType(value, type.condition, model) ? type.consequence : type.alternative, model);
    case "unevaluated":
      return isOfType(value, type.base, model) && isRestOfType(value, type, model);
    case "reference":
      return isOfDeclared(value, resolveType(type, model), model);
    default:
      return assertNever(type);
  }
}

const answersOfValues = new WeakMap<object, WeakMap<TypeNode, boolean>>();

/**
 * Structures are held against each declaration once: alternatives that refer to each other would otherwise ask again for all that
 * is inside, twice as often with each level.
 */
function isOfDeclared(value: JsonValue, type: TypeNode, model: Declarations): boolean {
  if (typeof value !== "object" || value === null) return isOfType(value, type, model);
  let answers = answersOfValues.get(value);
  if (answers === undefined) {
    answers = new WeakMap();
    answersOfValues.set(value, answers);
  }
  const known = answers.get(type);
  if (known !== undefined) return known;
  const answer = isOfType(value, type, model);
  answers.set(type, answer);
  return answer;
}

/** Whether a text in a URL or header spells a value of a type: as a text, as a number or as a boolean. */
export function spellsType(text: string, type: TypeNode, model: Declarations): boolean {
  const isNumber = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text);
  const readings: readonly JsonValue[] = [
    text,
    ...(isNumber ? [Number(text)] : []),
    ...(text === "true" || text === "false" ? [text === "true"] : []),
  ];
  return readings.some((reading) => isOfType(reading, type, model));
}

function isTextOfType(value: string, type: StringNode): boolean {
  if (type.minLength !== undefined || type.maxLength !== undefined) {
    const length = [...value].length;
    if (type.minLength !== undefined && length < type.minLength) return false;
    if (type.maxLength !== undefined && length > type.maxLength) return false;
  }
  return type.pattern === undefined || patternMatches(type.pattern, value);
}

function isNumberOfType(value: number, type: NumberNode): boolean {
  if (type.integer && !Number.isInteger(value)) return false;
  if (type.minimum !== undefined && value < type.minimum) return false;
  if (type.maximum !== undefined && value > type.maximum) return false;
  if (type.exclusiveMinimum !== undefined && value <= type.exclusiveMinimum) return false;
  if (type.exclusiveMaximum !== undefined && value >= type.exclusiveMaximum) return false;
  return type.multipleOf === undefined || isMultipleOf(value, type.multipleOf);
}

const canonicalValuesOfNodes = new WeakMap<EnumerationNode, ReadonlySet<string>>();

function canonicalValues(type: EnumerationNode): ReadonlySet<string> {
  const known = canonicalValuesOfNodes.get(type);
  if (known !== undefined) return known;
  const values = new Set(type.values.map(canonicalText));
  canonicalValuesOfNodes.set(type, values);
  return values;
}

function isListOfType(value: readonly JsonValue[], type: ListNode, model: Declarations): boolean {
  if (type.minItems !== undefined && value.length < type.minItems) return false;
  if (type.maxItems !== undefined && value.length > type.maxItems) return false;
  if (type.uniqueItems === true && new Set(value.map(canonicalText)).size < value.length) return false;
  if (!value.every((item, index) => isOfType(item, type.prefix[index] ?? type.element, model))) return false;
  if (type.contains === undefined) return true;
  const { type: wanted, minimum, maximum = Number.POSITIVE_INFINITY } = type.contains;
  const found = value.filter((item) => isOfType(item, wanted, model)).length;
  return found >= minimum && found <= maximum;
}

function isRecordOfType(value: Readonly<Record<string, JsonValue>>, type: RecordNode, model: Declarations): boolean {
  const members = Object.entries(value);
  if (type.minProperties !== undefined && members.length < type.minProperties) return false;
  if (type.maxProperties !== undefined && members.length > type.maxProperties) return false;
  if (type.fields.some(({ name, required }) => required && !Object.hasOwn(value, name))) return false;
  const { names } = type;
  if (names !== undefined && !members.every(([name]) => isOfType(name, names, model))) return false;
  if (!members.every(([name, member]) => isMemberOfType(name, member, type, model))) return false;
  return (type.dependencies ?? []).every(
    (dependency) => !Object.hasOwn(value, dependency.property) || isOfType(value, dependency.type, model),
  );
}

const fieldTypesOfNodes = new WeakMap<RecordNode, ReadonlyMap<string, TypeNode>>();

/** Types of the fields by name, but for those that the document only lists as required. */
function fieldTypes(type: RecordNode): ReadonlyMap<string, TypeNode> {
  const known = fieldTypesOfNodes.get(type);
  if (known !== undefined) return known;
  const described = type.fields.filter(({ isUndescribed }) => isUndescribed !== true);
  const types = new Map(described.map((field) => [field.name, field.type]));
  fieldTypesOfNodes.set(type, types);
  return types;
}

function isMemberOfType(name: string, member: JsonValue, type: RecordNode, model: Declarations): boolean {
  const field = fieldTypes(type).get(name);
  const patterns = type.patterns.filter(({ pattern }) => patternMatches(pattern, name));
  const types = [...(field === undefined ? [] : [field]), ...patterns.map((pattern) => pattern.type)];
  return (types.length === 0 ? [type.additional] : types).every((one) => isOfType(member, one, model));
}

function isOfUnion(value: JsonValue, type: UnionNode, model: Declarations): boolean {
  if (type.mode === "any-of") return type.members.some((member) => isOfType(value, member, model));
  let matching = 0;
  for (const member of type.members) {
    if (isOfType(value, member, model)) matching += 1;
    if (matching > 1) return false;
  }
  return matching === 1;
}

/** What of a value the base did not look at. */
function isRestOfType(value: JsonValue, type: UnevaluatedNode, model: Declarations): boolean {
  const { base, members, elements } = type;
  const matches = (part: JsonValue, ofPart: TypeNode): boolean => isOfType(part, ofPart, model);
  if (members !== undefined && isJsonRecord(value)) {
    const evaluated = evaluatedMembers(value, base, model, matches);
    return Object.entries(value).every(([name, member]) => evaluated.has(name) || matches(member, members));
  }
  if (elements !== undefined && isJsonList(value)) {
    const evaluated = evaluatedElements(value, base, model, matches);
    return value.every((element, index) => evaluated.has(index) || matches(element, elements));
  }
  return true;
}
