import {
  type GraphQLArgument,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isSpecifiedScalarType,
} from "graphql";
import { inTurns } from "@nodewright/api-values";
import { singularOf } from "../../basics/singular.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { type Field, connectionNodeOf } from "./field-names.ts";
import { writeLiteral } from "./selection.ts";
import type { MetField } from "./walk-answer.ts";

/** A value that was returned. */
export interface PooledValue {
  readonly value: unknown;
  readonly typeName: string;
  /** Of the type that has the value, and of its interfaces. */
  readonly owners: readonly string[];
  readonly fieldName: string;
  readonly leaf: string;
  /** Objects between the root and the value's own; 1 and 2 are what root fields return, and their lists' elements. */
  readonly depth: number;
  /** False where something in the response failed. */
  readonly isWhole: boolean;
}

/** Values of one field that are kept. */
const keptValues = 12;
/** Values in a list of keys. */
const listedValues = 3;

/** How surely a value is one for an argument: lower is surer. */
const ranks = { key: 0, example: 1, namesake: 2, scalar: 3 } as const;
/** Values of one field for arguments that only have its scalar. */
const mostOfScalar = 2;

/** Collects values of responses, and finds those that suit an argument by name and type. */
export class ValuePool {
  /** By `Thing.id`; those of whole objects and of the least depth first. */
  readonly #values = new Map<string, readonly PooledValue[]>();
  /** `Query.thing.id` → values of examples. */
  readonly #examples = new Map<string, readonly unknown[]>();

  /** Takes what a field returned, if it is a leaf. `isWhole`: nothing in the response failed. */
  see({ field, parentType, depth, value }: MetField, isWhole: boolean): void {
    const leaf = getNamedType(field.type);
    // What introspection says is of the schema, and no data.
    if (!isLeafType(leaf) || parentType.name.startsWith("__")) return;
    const name = `${parentType.name}.${field.name}`;
    const owners = [parentType, ...parentType.getInterfaces()].map((one) => one.name);
    const own = { typeName: parentType.name, owners, fieldName: field.name, leaf: leaf.name, depth, isWhole };
    const values = (Array.isArray(value) ? value.slice(0, keptValues) : [value]).filter(isPlainValue);
    const all = [...(this.#values.get(name) ?? []), ...values.map((one) => ({ ...own, value: one }))].toSorted(
      (left, right) => Number(right.isWhole) - Number(left.isWhole) || left.depth - right.depth,
    );
    this.#values.set(name, different(all, (one) => one.value).slice(0, keptValues));
  }

  /** Takes the value that an example gives to an argument. */
  seeExample(parentType: string, field: string, argument: string, value: unknown): void {
    const name = `${parentType}.${field}.${argument}`;
    this.#examples.set(name, [...(this.#examples.get(name) ?? []), value].slice(0, keptValues));
  }

  /** Values for an argument of a field, best first, each once; of a list of keys, `ids` for `id`, some together. */
  candidatesOf(parentType: string, field: Field, { name, type }: GraphQLArgument): readonly unknown[] {
    const examples = this.#examples.get(`${parentType}.${field.name}.${name}`) ?? [];
    const [nullable, leaf] = [getNullableType(type), getNamedType(type)];
    const element = isListType(nullable) ? getNullableType(nullable.ofType) : nullable;
    if (!isLeafType(leaf) || isListType(element)) return examples;
    if (element !== nullable) {
      const named = this.#foundFor(field, singularOf(name), leaf).filter(({ rank }) => rank < ranks.scalar);
      const values = [...new Set(named.map(({ value }) => value))].slice(0, listedValues);
      return values.length === 0 ? examples : [values, ...examples];
    }
    const all = [
      ...this.#foundFor(field, name, leaf),
      ...examples.map((value) => ({ value, rank: ranks.example })),
    ].toSorted((left, right) => left.rank - right.rank);
    return different(
      all.map(({ value }) => value),
      (value) => writeLiteral(undefined, value),
    );
  }

  /** Values that objects of the field's own type have under the argument's name, so that it is how one is found; one of each type first. */
  keysOf(field: Field, { name, type }: GraphQLArgument): readonly PooledValue[] {
    if (isListType(getNullableType(type))) return [];
    const keys = this.#foundFor(field, name, getNamedType(type)).filter(({ rank }) => rank === ranks.key);
    return inTurns([...Map.groupBy(keys, ({ typeName }) => typeName).values()]);
  }

  /** Values of responses for an argument, the surest first. */
  #foundFor(
    field: Field,
    argument: string,
    leaf: GraphQLNamedType,
  ): readonly (PooledValue & { readonly rank: number })[] {
    const owner = connectionNodeOf(getNamedType(field.type)) ?? getNamedType(field.type);
    const rankOf = (one: PooledValue): number | undefined => {
      if (one.leaf !== leaf.name && !(textNames.has(one.leaf) && textNames.has(leaf.name))) return undefined;
      if (one.fieldName === keyOf(owner, argument) && one.owners.includes(owner.name)) return ranks.key;
      const names = [one.fieldName, `${one.typeName}${one.fieldName}`].map(plainName);
      if (names.includes(plainName(argument))) return ranks.namesake;
      // An address is an address.
      return one.leaf === leaf.name && !isSpecifiedScalarType(leaf) ? ranks.scalar : undefined;
    };
    const all = [...this.#values.values()].flatMap((values) => {
      const rank = values[0] && rankOf(values[0]);
      const most = rank === ranks.scalar ? mostOfScalar : keptValues;
      return rank === undefined ? [] : values.slice(0, most).map((one) => ({ ...one, rank }));
    });
    const depthOf = ({ rank, depth }: (typeof all)[number]): number => (rank === ranks.key ? depth : 0);
    return all.toSorted((left, right) => left.rank - right.rank || depthOf(left) - depthOf(right));
  }
}

/** The member that an argument finds objects of a type by: that of the same name, or `id` for `thingId` of a `Thing`. */
function keyOf(owner: GraphQLNamedType, argument: string): string | undefined {
  if (!isObjectType(owner) && !isInterfaceType(owner)) return undefined;
  const isOfType = ["id", `${plainName(owner.name)}id`].includes(plainName(argument));
  return owner.getFields()[argument] === undefined && isOfType ? "id" : argument;
}

/** The first of those that have the same key. */
function different<Value>(values: readonly Value[], keyOf: (value: Value) => unknown): readonly Value[] {
  return [...Map.groupBy(values, keyOf).values()].flatMap((same) => same.slice(0, 1));
}

const textNames: ReadonlySet<string> = new Set(["ID", "String"]);

function isPlainValue(value: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}
