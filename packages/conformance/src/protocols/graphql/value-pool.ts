import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  getNullableType,
  isObjectType,
  type GraphQLNamedType,
} from "graphql";
import { plainName } from "../../compare/volatile-names.ts";
import { singularOf } from "../../inference/singular.ts";
import { elementTypeOf, isKeyOfType } from "./field-names.ts";
import type { GraphqlQuestion } from "./graphql-request.ts";
import { writeLiteral } from "./selection.ts";
import type { MetField } from "./walk-answer.ts";

/** A value that was answered. */
export interface PooledValue {
  readonly value: string | number | bigint | boolean;
  /** The object that it was in. */
  readonly object: Readonly<Record<string, unknown>>;
  readonly typeName: string;
  readonly fieldName: string;
  /** Objects between the root and the value's own; 1 and 2 are what root fields answer, and their lists' elements. */
  readonly depth: number;
  /** What was asked when it was answered. */
  readonly question: GraphqlQuestion;
}

/** A value for an argument. */
export interface CandidateValue {
  readonly value: unknown;
  /** What it was found as; absent for values of examples. */
  readonly found?: PooledValue;
  /** True: objects of the field's own type have it under the argument's name, so that it is how one is found. */
  readonly isKey: boolean;
}

/** Values of one field that are kept. */
const keptValues = 12;

/** Collects values of answers, and finds those that fit an argument by name and type. */
export class ValuePool {
  /** `Thing.id` → values. */
  readonly #byField = new Map<string, PooledValue[]>();
  /** Name of a scalar or enum → `Thing.id`, …. */
  readonly #fieldsByLeaf = new Map<string, Set<string>>();
  /** `Query.thing.id` → values of examples. */
  readonly #examples = new Map<string, unknown[]>();
  readonly #schema: GraphQLSchema;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Takes what a field answered, if it is a leaf. */
  see(met: MetField, question: GraphqlQuestion): void {
    const leaf = getNamedType(met.field.type);
    // What introspection says is of the schema, and no data.
    if (!isLeafType(leaf) || met.parentType.name.startsWith("__")) return;
    const values: readonly unknown[] = Array.isArray(met.value) ? met.value : [met.value];
    for (const value of values.slice(0, keptValues)) this.#keep(met, leaf, value, question);
  }

  #keep(
    { parentType, parent, field, depth }: MetField,
    leaf: GraphQLNamedType,
    value: unknown,
    question: GraphqlQuestion,
  ): void {
    if (!isPlainValue(value)) return;
    const name = `${parentType.name}.${field.name}`;
    const known = this.#byField.get(name) ?? [];
    this.#byField.set(name, known);
    const names = this.#fieldsByLeaf.get(leaf.name) ?? new Set();
    this.#fieldsByLeaf.set(leaf.name, names.add(name));
    const index = known.findIndex((one) => one.value === value);
    const pooled = { value, object: parent, typeName: parentType.name, fieldName: field.name, depth, question };
    const before = known[index];
    if (before !== undefined) {
      const isWhole = Object.keys(before.object).length > 0 || Object.keys(parent).length === 0;
      if (depth < before.depth || !isWhole) known[index] = pooled;
    } else if (known.length < keptValues) {
      known.push(pooled);
    } else if (depth < (known.at(-1)?.depth ?? 0)) {
      known[known.length - 1] = pooled;
    }
  }

  /** Takes the value that an example gives to an argument. */
  seeExample(parentType: string, field: string, argument: string, value: unknown): void {
    const name = `${parentType}.${field}.${argument}`;
    const known = this.#examples.get(name) ?? [];
    this.#examples.set(name, known);
    if (known.length < keptValues) known.push(value);
  }

  /** Values for an argument of a field, best first, each once. */
  candidatesOf(
    parentType: string,
    field: GraphQLField<unknown, unknown>,
    argument: GraphQLArgument,
  ): readonly CandidateValue[] {
    const nullable = getNullableType(argument.type);
    if (isListType(nullable)) return this.#listsOf(parentType, field, argument);
    const leaf = getNamedType(argument.type);
    if (!isLeafType(leaf)) return this.#examplesOf(parentType, field, argument);
    const found = [
      ...this.#keysOf(field, argument.name, leaf.name),
      ...this.#examplesOf(parentType, field, argument),
      ...this.#namesakesOf(argument.name, leaf.name),
      ...this.#specialsOf(leaf.name),
    ];
    const seen = new Set<string>();
    return found.filter(({ value }) => {
      const key = writeLiteral(undefined, value);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }

  /** Of a list of keys, `ids` for `id`: some that were answered, then one that an example has. */
  #listsOf(
    parentType: string,
    field: GraphQLField<unknown, unknown>,
    argument: GraphQLArgument,
  ): readonly CandidateValue[] {
    const nullable = getNullableType(argument.type);
    const leaf = getNamedType(argument.type);
    const examples = this.#examplesOf(parentType, field, argument);
    if (!isListType(nullable) || isListType(getNullableType(nullable.ofType)) || !isLeafType(leaf)) return examples;
    const singular = singularOf(argument.name);
    const found = [...this.#keysOf(field, singular, leaf.name), ...this.#namesakesOf(singular, leaf.name)];
    const values = [...new Set(found.map(({ value }) => value))].slice(0, 3);
    return values.length === 0 ? examples : [{ value: values, isKey: false }, ...examples];
  }

  #keysOf(field: GraphQLField<unknown, unknown>, argument: string, leaf: string): readonly CandidateValue[] {
    const type = elementTypeOf(field.type);
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const own = type.getFields()[argument] === undefined && isKeyOfType(argument, type.name) ? "id" : argument;
    const owners = [type.name, ...this.#implementing(type, own)];
    const values = owners.flatMap((owner) => this.#byField.get(`${owner}.${own}`) ?? []);
    const isSame = this.#isOfLeaf(owners, own, leaf);
    if (!isSame) return [];
    return values
      .toSorted((left, right) => left.depth - right.depth)
      .map((one) => ({ value: one.value, found: one, isKey: true }));
  }

  /** Types that an interface may be, of which a field was seen: another type's keys are of nothing that it answers. */
  #implementing(type: GraphQLNamedType, field: string): readonly string[] {
    if (!isInterfaceType(type)) return [];
    const names = this.#schema.getPossibleTypes(type).map(({ name }) => name);
    return names.filter((name) => this.#byField.has(`${name}.${field}`));
  }

  #isOfLeaf(owners: readonly string[], field: string, leaf: string): boolean {
    const compatible = leaf === "ID" || leaf === "String" ? ["ID", "String"] : [leaf];
    return owners.some((owner) =>
      compatible.some((one) => this.#fieldsByLeaf.get(one)?.has(`${owner}.${field}`) === true),
    );
  }

  #examplesOf(
    parentType: string,
    field: GraphQLField<unknown, unknown>,
    argument: GraphQLArgument,
  ): readonly CandidateValue[] {
    const values = this.#examples.get(`${parentType}.${field.name}.${argument.name}`) ?? [];
    return values.map((value) => ({ value, isKey: false }));
  }

  /** Values of fields elsewhere that have the argument's name, or that of the type in it: `authorId` is `Author.id`. */
  #namesakesOf(argument: string, leaf: string): readonly CandidateValue[] {
    const plain = plainName(argument);
    const compatible = leaf === "ID" || leaf === "String" ? ["ID", "String"] : [leaf];
    const found: CandidateValue[] = [];
    for (const one of compatible) {
      for (const name of this.#fieldsByLeaf.get(one) ?? []) {
        const [type = "", field = ""] = name.split(".");
        const isNamesake = plainName(field) === plain || plainName(`${type}${field}`) === plain;
        if (isNamesake)
          found.push(
            ...(this.#byField.get(name) ?? []).map((value) => ({ value: value.value, found: value, isKey: false })),
          );
      }
    }
    return found;
  }

  /** Any value of a scalar that the schema has for itself: an address is an address. */
  #specialsOf(leaf: string): readonly CandidateValue[] {
    if (["ID", "String", "Int", "Float", "Boolean"].includes(leaf)) return [];
    const found: CandidateValue[] = [];
    for (const name of this.#fieldsByLeaf.get(leaf) ?? []) {
      for (const value of (this.#byField.get(name) ?? []).slice(0, 2))
        found.push({ value: value.value, found: value, isKey: false });
    }
    return found;
  }

  /** Values that a field of a type was seen with. */
  valuesOf(type: string, field: string): readonly PooledValue[] {
    return this.#byField.get(`${type}.${field}`) ?? [];
  }
}

function isPlainValue(value: unknown): value is PooledValue["value"] {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}
