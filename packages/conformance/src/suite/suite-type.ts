/**
 * Where the description says something: `line:column`, both from 1. Of another file than the suite's `source`, with its path in
 * front: `schemas/block.yaml:12:5`.
 *
 * In suites of generated packages, which are not to change with every line of the description, a JSON Pointer instead, and only of
 * operations, inputs, answers and declared types: `#/paths/~1tx/get`, `schemas/block.yaml#/Block`.
 */
export type Place = string;

/** An integer that a double can't hold is written in digits. */
export type Bound = number | string;

interface TypeBase {
  readonly place?: Place;
  readonly default?: unknown;
  /** Values that the description shows for it. */
  readonly examples?: readonly unknown[];
}

interface KindType extends TypeBase {
  /** True: values of other JSON kinds match too (a schema with `properties` and without `type`). */
  readonly isKindImplied?: boolean;
}

/** `bytes`: a body that is no JSON. */
export interface PlainType extends TypeBase {
  readonly kind: "any" | "never" | "null" | "boolean" | "bytes";
}

export interface StringType extends KindType {
  readonly kind: "string";
  /** In Unicode code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** ECMA-262, with the `u` flag. */
  readonly pattern?: string;
  /** Of JSON Schema. It is not asserted: servers differ about formats; it says what a value is for. */
  readonly format?: string;
}

export interface NumberType extends KindType {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum?: Bound;
  readonly maximum?: Bound;
  readonly exclusiveMinimum?: Bound;
  readonly exclusiveMaximum?: Bound;
  readonly multipleOf?: number;
}

export interface EnumerationType extends TypeBase {
  readonly kind: "enumeration";
  readonly values: readonly unknown[];
}

export interface ListType extends KindType {
  readonly kind: "list";
  /** Of the first elements, by position. */
  readonly prefix?: readonly SuiteType[];
  /** Of all elements after the prefix. */
  readonly element: SuiteType;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly contains?: { readonly type: SuiteType; readonly minimum: number; readonly maximum?: number };
  /** True where `items` stands in the description, be it `true`: `UnevaluatedType` then finds no element left. */
  readonly evaluatesAll?: boolean;
}

export interface RecordMember {
  readonly name: string;
  readonly type: SuiteType;
  readonly required: boolean;
  /** `read-only` members are not sent, `write-only` ones not answered. Absent: both. */
  readonly access?: "read-only" | "write-only";
  /** True for a name that `required` lists and `properties` does not: `UnevaluatedType` does not count it as looked at. */
  readonly isUndescribed?: boolean;
  /** Of a member that bounds another value: whether the description says that what is at the bound is within. */
  readonly includesBound?: boolean;
  /** True: its value changes although the object that it is part of stays the same (`x-volatile`). */
  readonly isVolatile?: boolean;
  readonly place?: Place;
}

export interface RecordType extends KindType {
  readonly kind: "record";
  readonly members: readonly RecordMember[];
  /** Of members that neither `members` nor `patterns` name; absent: any value. */
  readonly additional?: SuiteType;
  readonly patterns?: readonly { readonly pattern: string; readonly type: SuiteType }[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** What the name of each member has to be. */
  readonly names?: SuiteType;
  /** Where `property` is present, the whole matches `type` too. */
  readonly dependencies?: readonly { readonly property: string; readonly type: SuiteType }[];
  /** True where `additionalProperties` stands in the description, be it `true`: `UnevaluatedType` then finds no member left. */
  readonly evaluatesAll?: boolean;
}

export interface UnionType extends TypeBase {
  readonly kind: "union";
  readonly mode: "any-of" | "one-of";
  readonly members: readonly SuiteType[];
  /** Says where to look first. `mapping`: value of the property → name of a type of the suite. */
  readonly discriminator?: { readonly property: string; readonly mapping?: Readonly<Record<string, string>> };
}

export interface IntersectionType extends TypeBase {
  readonly kind: "intersection";
  readonly members: readonly SuiteType[];
}

export interface NotType extends TypeBase {
  readonly kind: "not";
  readonly type: SuiteType;
}

export interface ConditionalType extends TypeBase {
  readonly kind: "conditional";
  readonly condition: SuiteType;
  readonly consequence: SuiteType;
  readonly alternative: SuiteType;
}

/** What `base` did not look at matches `members` or `elements` (JSON Schema 2020-12, section 11). */
export interface UnevaluatedType extends TypeBase {
  readonly kind: "unevaluated";
  readonly base: SuiteType;
  readonly members?: SuiteType;
  readonly elements?: SuiteType;
}

export interface ReferenceType extends TypeBase {
  readonly kind: "reference";
  /** A name of the suite's `types`. */
  readonly target: string;
}

/** What a JSON value may be, as data: JSON Schema 2020-12 in the words of the model. Types of a suite may refer to themselves. */
export type SuiteType =
  | PlainType
  | StringType
  | NumberType
  | EnumerationType
  | ListType
  | RecordType
  | UnionType
  | IntersectionType
  | NotType
  | ConditionalType
  | UnevaluatedType
  | ReferenceType;

/** Types by name. */
export type SuiteTypes = Readonly<Record<string, SuiteType>>;
