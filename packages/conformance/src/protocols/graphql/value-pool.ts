import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isSpecifiedScalarType,
} from "graphql";
import { plainName } from "../../compare/volatile-names.ts";
import { singularOf } from "../../basics/singular.ts";
import { elementTypeOf, isKeyOfType } from "./field-names.ts";
import { writeLiteral } from "./selection.ts";
import type { MetField } from "./walk-answer.ts";

/** A value that was returned. */
interface PooledValue {
  readonly value: string | number | bigint | boolean;
  /** The object that it was in; empty where some of it may have failed. */
  readonly object: Readonly<Record<string, unknown>>;
  readonly typeName: string;
  readonly fieldName: string;
  /** Objects between the root and the value's own; 1 and 2 are what root fields return, and their lists' elements. */
  readonly depth: number;
}

/** A value for an argument. */
export interface CandidateValue {
  readonly value: unknown;
  /** What it was found as; absent for values of examples. */
  readonly found?: PooledValue;
  /** True: objects of the field's own type have it under the argument's name, so that it is how one is found. */
  readonly isKey: boolean;
}

interface PooledField {
  readonly typeName: string;
  readonly fieldName: string;
  readonly leaf: string;
  /** Those of whole objects and of the least depth first. */
  readonly values: readonly PooledValue[];
}

/** Values of one field that are kept. */
const keptValues = 12;
/** Values in a list of keys. */
const listedValues = 3;

/** Collects values of responses, and finds those that suit an argument by name and type. */
export class ValuePool {
  /** By `Thing.id`. */
  readonly #fields = new Map<string, PooledField>();
  /** `Query.thing.id` → values of examples. */
  readonly #examples = new Map<string, unknown[]>();
  readonly #schema: GraphQLSchema;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Takes what a field returned, if it is a leaf. */
  see({ field, parentType, parent, depth, value }: MetField): void {
    const leaf = getNamedType(field.type);
    // What introspection says is of the schema, and no data.
    if (!isLeafType(leaf) || parentType.name.startsWith("__")) return;
    const [typeName, fieldName] = [parentType.name, field.name];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const fresh = values
      .slice(0, keptValues)
      .filter(isPlainValue)
      .map((one): PooledValue => ({ value: one, object: parent, typeName, fieldName, depth }));
    const all = [...(this.#fields.get(`${typeName}.${fieldName}`)?.values ?? []), ...fresh];
    const ofValue = new Map<unknown, PooledValue>();
    for (const one of all.toSorted((left, right) => costOf(left) - costOf(right)))
      if (!ofValue.has(one.value)) ofValue.set(one.value, one);
    const kept = [...ofValue.values()].slice(0, keptValues);
    this.#fields.set(`${typeName}.${fieldName}`, { typeName, fieldName, leaf: leaf.name, values: kept });
  }

  /** Takes the value that an example gives to an argument. */
  seeExample(parentType: string, field: string, argument: string, value: unknown): void {
    const name = `${parentType}.${field}.${argument}`;
    this.#examples.set(name, [...(this.#examples.get(name) ?? []), value].slice(0, keptValues));
  }

  /** Values for an argument of a field, best first, each once; of a list of keys, `ids` for `id`, some together. */
  candidatesOf(
    parentType: string,
    field: GraphQLField<unknown, unknown>,
    { name, type }: GraphQLArgument,
  ): readonly CandidateValue[] {
    const shown = this.#examples.get(`${parentType}.${field.name}.${name}`) ?? [];
    const examples = shown.map((value): CandidateValue => ({ value, isKey: false }));
    const nullable = getNullableType(type);
    const leaf = getNamedType(type);
    if (!isLeafType(leaf)) return examples;
    if (!isListType(nullable)) {
      const keys = this.#keysOf(field, name, leaf);
      const all = [...keys, ...examples, ...this.#namesakesOf(name, leaf), ...this.#specialsOf(leaf)];
      const texts = all.map(({ value }) => writeLiteral(undefined, value));
      return all.filter((_one, index) => texts.indexOf(texts[index] ?? "") === index);
    }
    if (isListType(getNullableType(nullable.ofType))) return examples;
    const singular = singularOf(name);
    const found = [...this.#keysOf(field, singular, leaf), ...this.#namesakesOf(singular, leaf)];
    const values = [...new Set(found.map(({ value }) => value))].slice(0, listedValues);
    return values.length === 0 ? examples : [{ value: values, isKey: false }, ...examples];
  }

  /** Values that objects of the field's own type have under the argument's name; of an interface, those of the types that were seen. */
  #keysOf(field: GraphQLField<unknown, unknown>, argument: string, leaf: GraphQLNamedType): readonly CandidateValue[] {
    const type = elementTypeOf(field.type);
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const own = type.getFields()[argument] === undefined && isKeyOfType(argument, type.name) ? "id" : argument;
    const possible = isInterfaceType(type) ? this.#schema.getPossibleTypes(type) : [];
    const owners = [type, ...possible].map(({ name }) => this.#fields.get(`${name}.${own}`));
    const fields = owners.filter((one) => one !== undefined);
    if (!fields.some((one) => isCompatible(one, leaf))) return [];
    const values = fields.flatMap((one) => one.values);
    return values
      .toSorted((left, right) => left.depth - right.depth)
      .map((found) => ({ value: found.value, found, isKey: true }));
  }

  /** Values of fields elsewhere that have the argument's name, or that of the type in it: `authorId` is `Author.id`. */
  #namesakesOf(argument: string, leaf: GraphQLNamedType): readonly CandidateValue[] {
    const plain = plainName(argument);
    return this.#valuesWhere(
      (one) =>
        isCompatible(one, leaf) &&
        [one.fieldName, `${one.typeName}${one.fieldName}`].some((name) => plainName(name) === plain),
    );
  }

  /** Any value of a scalar that the schema has for itself: an address is an address. */
  #specialsOf(leaf: GraphQLNamedType): readonly CandidateValue[] {
    return isSpecifiedScalarType(leaf) ? [] : this.#valuesWhere((one) => one.leaf === leaf.name, 2);
  }

  #valuesWhere(isWanted: (field: PooledField) => boolean, most: number = keptValues): readonly CandidateValue[] {
    const fields = [...this.#fields.values()].filter(isWanted);
    return fields.flatMap(({ values }) =>
      values.slice(0, most).map((found) => ({ value: found.value, found, isKey: false })),
    );
  }
}

const textNames: ReadonlySet<string> = new Set(["ID", "String"]);

/** Whether values of a field are of a leaf type; identifiers are texts. */
function isCompatible({ leaf: own }: PooledField, { name }: GraphQLNamedType): boolean {
  return own === name || (textNames.has(own) && textNames.has(name));
}

/** Objects of which nothing failed come first, then those that are the least deep. */
function costOf({ depth, object }: PooledValue): number {
  return depth + (Object.keys(object).length === 0 ? 1000 : 0);
}

function isPlainValue(value: unknown): value is PooledValue["value"] {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}
