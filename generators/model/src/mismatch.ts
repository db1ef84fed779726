import { appendPointer } from "@nodewright/source";
import { isMultipleOf } from "./decimal.ts";
import { canonicalText, isJsonList, isJsonRecord } from "./json-equality.ts";
import { resolveType } from "./model-declarations.ts";
import { patternMatches } from "./pattern-cache.ts";
import type { JsonValue, ListNode, NumberNode, RecordNode, StringNode, TypeNode, UnionNode } from "./type-node.ts";
import { type Declarations, isOfType } from "./value-matcher.ts";

/** Why a value is not of a type: the first place where it differs, and what would have to be so there. */
export interface Mismatch {
  /** JSON Pointer into the value. */
  readonly pointer: string;
  /** In the words that ajv has for it: `must be integer`. */
  readonly problem: string;
}

/** Says why a value is not of a type; undefined where it is. */
export function findMismatch(value: JsonValue, type: TypeNode, model: Declarations): Mismatch | undefined {
  return isOfType(value, type, model) ? undefined : new MismatchFinder(model).explain(value, type, "");
}

/** How many alternatives are looked into; where types refer to each other there may be more than anybody would wait for. */
const maximumAlternatives = 1000;

/** Each method is asked only about a value that does not match. */
class MismatchFinder {
  readonly #model: Declarations;
  #alternatives = 0;

  constructor(model: Declarations) {
    this.#model = model;
  }

  explain(value: JsonValue, type: TypeNode, pointer: string): Mismatch {
    const here = (problem: string): Mismatch => ({ pointer, problem });
    switch (type.kind) {
      case "any":
      case "never":
        return here("must not be there: no value is allowed");
      case "null":
      case "boolean":
        return here(`must be ${type.kind}`);
      case "bytes":
        return here("must be string");
      case "string":
        return here(typeof value === "string" ? textProblem(value, type) : "must be string");
      case "number":
        return here(typeof value === "number" ? numberProblem(value, type) : numberKind(type));
      case "enumeration":
        return here(
          type.values.length === 1
            ? `must be ${JSON.stringify(type.values[0])}`
            : `must be one of ${type.values.map((one) => JSON.stringify(one)).join(", ")}`,
        );
      case "list":
        return isJsonList(value) ? this.#ofList(value, type, pointer) : here("must be array");
      case "record":
        return isJsonRecord(value) ? this.#ofRecord(value, type, pointer) : here("must be object");
      case "union":
        return this.#ofUnion(value, type, pointer);
      case "intersection":
        return this.#first(value, type.members, pointer) ?? here("must match all schemas");
      case "not":
        return here("must NOT be valid");
      case "conditional": {
        const branch = this.#matches(value, type.condition) ? type.consequence : type.alternative;
        return this.explain(value, branch, pointer);
      }
      case "unevaluated":
        return (
          this.#first(value, [type.base], pointer) ??
          here(isJsonList(value) ? "must NOT have unevaluated items" : "must NOT have unevaluated properties")
        );
      case "reference":
        return this.explain(value, resolveType(type, this.#model), pointer);
      default:
        return type satisfies never;
    }
  }

  #matches(value: JsonValue, type: TypeNode): boolean {
    return isOfType(value, type, this.#model);
  }

  #first(value: JsonValue, types: readonly TypeNode[], pointer: string): Mismatch | undefined {
    const failing = types.find((type) => !this.#matches(value, type));
    return failing && this.explain(value, failing, pointer);
  }

  #ofList(value: readonly JsonValue[], type: ListNode, pointer: string): Mismatch {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, contains } = type;
    if (value.length < minItems) return { pointer, problem: `must NOT have fewer than ${minItems} items` };
    if (value.length > maxItems) return { pointer, problem: `must NOT have more than ${maxItems} items` };
    if (type.uniqueItems === true && new Set(value.map(canonicalText)).size < value.length)
      return { pointer, problem: "must NOT have duplicate items" };
    for (const [index, element] of value.entries()) {
      const wanted = type.prefix[index] ?? type.element;
      if (!this.#matches(element, wanted)) return this.explain(element, wanted, `${pointer}/${index}`);
    }
    return { pointer, problem: `must contain at least ${contains?.minimum ?? 1} valid item(s)` };
  }

  #ofRecord(value: Readonly<Record<string, JsonValue>>, type: RecordNode, pointer: string): Mismatch {
    const missing = type.fields.find(({ name, required }) => required && !Object.hasOwn(value, name));
    if (missing !== undefined) return { pointer, problem: `must have required property "${missing.name}"` };
    for (const [name, member] of Object.entries(value)) {
      const found = this.#ofMember(name, member, type, pointer);
      if (found !== undefined) return found;
    }
    const count = Object.keys(value).length;
    if (count < (type.minProperties ?? 0))
      return { pointer, problem: `must NOT have fewer than ${type.minProperties} properties` };
    if (count > (type.maxProperties ?? Number.POSITIVE_INFINITY))
      return { pointer, problem: `must NOT have more than ${type.maxProperties} properties` };
    const dependency = (type.dependencies ?? []).find(
      (one) => Object.hasOwn(value, one.property) && !this.#matches(value, one.type),
    );
    if (dependency !== undefined) return this.explain(value, dependency.type, pointer);
    return { pointer, problem: "property name must be valid" };
  }

  #ofMember(name: string, member: JsonValue, type: RecordNode, pointer: string): Mismatch | undefined {
    const field = type.fields.find((one) => one.name === name && one.isUndescribed !== true);
    const patterns = type.patterns.filter(({ pattern }) => patternMatches(pattern, name));
    const types = [...(field === undefined ? [] : [field]), ...patterns].map((one) => one.type);
    if (types.length === 0 && type.additional.kind === "never")
      return { pointer, problem: `must NOT have additional properties: "${name}"` };
    return this.#first(member, types.length === 0 ? [type.additional] : types, appendPointer(pointer, name));
  }

  /** Where all alternatives but one are of another kind, that one is meant. */
  #ofUnion(value: JsonValue, type: UnionNode, pointer: string): Mismatch {
    if (type.members.some((member) => this.#matches(value, member)))
      return { pointer, problem: "must match exactly one schema in oneOf" };
    const summary = { pointer, problem: `must match a schema in ${type.mode === "one-of" ? "oneOf" : "anyOf"}` };
    this.#alternatives += type.members.length;
    if (this.#alternatives > maximumAlternatives) return summary;
    const explained = type.members.map((member) => this.explain(value, member, pointer));
    const inside = explained.filter((one) => one.pointer !== pointer || !/^must be [a-z]+$/.test(one.problem));
    const [only, ...others] = inside.length === 0 ? explained : inside;
    if (only !== undefined && others.length === 0) return only;
    const kinds = [...new Set(explained.map(({ problem }) => problem))];
    if (inside.length === 0) return { pointer, problem: kinds.join(" or ").replaceAll(" or must be ", " or ") };
    return summary;
  }
}

function textProblem(value: string, { minLength, maxLength, pattern }: StringNode): string {
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) return `must NOT have fewer than ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `must NOT have more than ${maxLength} characters`;
  return `must match pattern "${pattern}"`;
}

function numberKind({ integer }: NumberNode): string {
  return integer ? "must be integer" : "must be number";
}

function numberProblem(value: number, type: NumberNode): string {
  if (type.integer && !Number.isInteger(value)) return numberKind(type);
  if (type.minimum !== undefined && value < type.minimum) return `must be >= ${type.minimum}`;
  if (type.maximum !== undefined && value > type.maximum) return `must be <= ${type.maximum}`;
  if (type.multipleOf !== undefined && !isMultipleOf(value, type.multipleOf))
    return `must be multiple of ${type.multipleOf}`;
  return type.exclusiveMinimum !== undefined && value <= type.exclusiveMinimum
    ? `must be > ${type.exclusiveMinimum}`
    : `must be < ${type.exclusiveMaximum}`;
}
