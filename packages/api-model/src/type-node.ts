import type { DescribedFacts } from "./described-facts.ts";
import type { Parameter } from "./operation.ts";

export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/**
 * Where a document has something: `line:column`, both from 1, of the model's own document, `schemas/block.yaml:12:5` of another one.
 *
 * In suites of generated packages, which are not to change with every line of the document, a JSON Pointer instead, and only of
 * operations, inputs, responses and declared types: `#/paths/~1tx/get`, `schemas/block.yaml#/Block`.
 */
export type Place = string;

/** What each part of a serialised model carries. While a document is read, parts carry the position itself. */
export interface Placed {
  readonly place?: Place;
}

interface NodeBase {
  readonly default?: JsonValue;
  /** Of a serialised model: values that the document shows for it. */
  readonly examples?: readonly JsonValue[];
}

/** A node about one kind of JSON value. */
interface KindNode extends NodeBase {
  /**
   * True where the document says what holds for values of this kind and not that values are of it (`properties` without
   * `type: object`): values of other kinds match too. Its TypeScript type is that of the kind all the same.
   */
  readonly isKindImplied?: boolean;
}

/** Every JSON value. */
export type AnyNode<At = Placed> = At & NodeBase & { readonly kind: "any" };

/** No value at all: JSON Schema's `false`. */
export type NeverNode<At = Placed> = At & NodeBase & { readonly kind: "never" };

export type NullNode<At = Placed> = At & NodeBase & { readonly kind: "null" };

export type BooleanNode<At = Placed> = At & NodeBase & { readonly kind: "boolean" };

/** Bytes outside JSON: a body of `application/octet-stream`. */
export type BytesNode<At = Placed> = At & NodeBase & { readonly kind: "bytes" };

export type StringNode<At = Placed> = At &
  KindNode & {
    readonly kind: "string";
    /** In Unicode code points, as JSON Schema counts. */
    readonly minLength?: number;
    readonly maxLength?: number;
    /** An ECMA-262 pattern, to be matched with the `u` flag. */
    readonly pattern?: string;
    /** Named for readers; asserted by generated validators where `assertsFormat` says so, and by nothing else. */
    readonly format?: string;
    /** True where the configuration asks that the format be checked, and the runtime knows it. */
    readonly assertsFormat?: boolean;
  };

/**
 * How a JSON number is held in memory.
 *
 * `number`: a double holds each allowed value. `bigint`: an integer whose bounds pass 2^53 - 1.
 * `bitcoin-amount`: on the wire a decimal of bitcoin with 8 places, in memory satoshi as a bigint.
 */
export type NumberRepresentation = "number" | "bigint" | "bitcoin-amount";

/** Of the wire value; a bigint where a double does not hold it. */
export type Bound = number | bigint;

export type NumberNode<At = Placed> = At &
  KindNode & {
    readonly kind: "number";
    readonly integer: boolean;
    /** Absent: `number`. */
    readonly representation?: NumberRepresentation;
    readonly minimum?: Bound;
    readonly maximum?: Bound;
    readonly exclusiveMinimum?: Bound;
    readonly exclusiveMaximum?: Bound;
    readonly multipleOf?: number;
  };

/** One of some values; a single value is JSON Schema's `const`. */
export type EnumerationNode<At = Placed> = At &
  NodeBase & { readonly kind: "enumeration"; readonly values: readonly JsonValue[] };

export type ListNode<At = Placed> = At &
  KindNode & {
    readonly kind: "list";
    /** Types of the first elements, by position. */
    readonly prefix?: readonly TypeNode<At>[];
    /** Type of the elements after the prefix. */
    readonly element: TypeNode<At>;
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly uniqueItems?: boolean;
    /** True where the document says that it has some of the elements alone: "the three best known". */
    readonly isExcerpt?: boolean;
    /** At least `minimum` (1 where the document does not say), at most `maximum` elements are of `type`. */
    readonly contains?: { readonly type: TypeNode<At>; readonly minimum: number; readonly maximum?: number };
    /** True where `items` stands in the document, be it `true`: `UnevaluatedNode` then finds no element left. */
    readonly evaluatesAll?: boolean;
  };

/** `read-only` members are not sent, `write-only` ones not returned. */
export type Access = "read-write" | "read-only" | "write-only";

export type RecordMember<At = Placed> = At &
  DescribedFacts & {
    /** As on the wire. */
    readonly name: string;
    readonly type: TypeNode<At>;
    readonly required: boolean;
    /** Absent: `read-write`. */
    readonly access?: Access;
    /**
     * True for a name that `required` lists and `properties` does not: `UnevaluatedNode` does not count it as evaluated. `type` is
     * then what `patterns` or `additional` say of it.
     */
    readonly isUndescribed?: boolean;
    /** True where its value changes although the object that it is part of stays the same (`x-volatile`). */
    readonly isVolatile?: boolean;
    /** Of a member that bounds another value: whether the document says that a value equal to the bound is included. */
    readonly includesBound?: boolean;
    /** GraphQL: the arguments that the field takes. */
    readonly arguments?: readonly Parameter<At>[];
  };

export type RecordNode<At = Placed> = At &
  KindNode & {
    readonly kind: "record";
    readonly members: readonly RecordMember<At>[];
    /** Type of the members that neither `members` nor `patterns` name: `never` when closed. Absent: any value. */
    readonly additional?: TypeNode<At>;
    readonly patterns?: readonly { readonly pattern: string; readonly type: TypeNode<At> }[];
    readonly minProperties?: number;
    readonly maxProperties?: number;
    /** What every name of a member has to be: JSON Schema's `propertyNames`. */
    readonly names?: TypeNode<At>;
    /** Where `property` is present, the record matches `type` too: `dependentSchemas`, `dependentRequired`. */
    readonly dependencies?: readonly Dependency<At>[];
    /** True where `additionalProperties` stands in the document, be it `true`: `UnevaluatedNode` then finds no member left. */
    readonly evaluatesAll?: boolean;
  };

export interface Dependency<At = Placed> {
  readonly property: string;
  readonly type: TypeNode<At>;
  /** Of JSON Schema, that says so. */
  readonly keyword?: string;
}

export type UnionNode<At = Placed> = At &
  NodeBase & {
    readonly kind: "union";
    /** `any-of`: at least one member matches; `one-of`: exactly one. */
    readonly mode: "any-of" | "one-of";
    readonly members: readonly TypeNode<At>[];
    /**
     * `mapping`: value of the property → name of the declaration that it selects, for all members that are references. It says
     * where to look first, and what to report of a value that matches none; it does not change which values match.
     */
    readonly discriminator?: { readonly property: string; readonly mapping?: Readonly<Record<string, string>> };
  };

/**
 * A value matches every member.
 *
 * Keywords of several kinds without a `type` (`minLength` beside `minimum`) are members with `isKindImplied`, one for each kind.
 * TypeScript shows these as the union of their kinds: no value is of two.
 */
export type IntersectionNode<At = Placed> = At &
  NodeBase & {
    readonly kind: "intersection";
    readonly members: readonly TypeNode<At>[];
    /**
     * The values of a property by which the discriminator of a member selects this type. TypeScript shows them; like that of a
     * union, a discriminator does not change which values match.
     */
    readonly selection?: { readonly property: string; readonly values: readonly string[] };
  };

/** A value does not match `type`. TypeScript has no word for it: it is left out of intersections and `unknown` by itself. */
export type NotNode<At = Placed> = At & NodeBase & { readonly kind: "not"; readonly type: TypeNode<At> };

/** A value that matches `condition` matches `consequence`, any other `alternative`: `if`, `then`, `else`. */
export type ConditionalNode<At = Placed> = At &
  NodeBase & {
    readonly kind: "conditional";
    readonly condition: TypeNode<At>;
    readonly consequence: TypeNode<At>;
    readonly alternative: TypeNode<At>;
  };

/**
 * A value matches `base`, and what of it `base` did not look at matches `members` or `elements` (JSON Schema 2020-12, section
 * 11). Absent where the document does not say.
 */
export type UnevaluatedNode<At = Placed> = At &
  NodeBase & {
    readonly kind: "unevaluated";
    readonly base: TypeNode<At>;
    readonly members?: TypeNode<At>;
    readonly elements?: TypeNode<At>;
  };

export type ReferenceNode<At = Placed> = At &
  NodeBase & {
    readonly kind: "reference";
    /** The `name` of a declaration of the same model. */
    readonly target: string;
  };

/**
 * The values that something may have: JSON Schema 2020-12 in the words of the model, without a spelling of OpenAPI, GraphQL or
 * OpenRPC. Members with a default are left out when a model is serialised. `At` is what each part carries beside.
 */
export type TypeNode<At = Placed> =
  | AnyNode<At>
  | NeverNode<At>
  | NullNode<At>
  | BooleanNode<At>
  | BytesNode<At>
  | StringNode<At>
  | NumberNode<At>
  | EnumerationNode<At>
  | ListNode<At>
  | RecordNode<At>
  | UnionNode<At>
  | IntersectionNode<At>
  | NotNode<At>
  | ConditionalNode<At>
  | UnevaluatedNode<At>
  | ReferenceNode<At>;

/** The type that a name stands for. */
export type TypeLookup<At = Placed> = (name: string) => TypeNode<At> | undefined;

/**
 * What a declaration is for.
 *
 * `value`: data in both directions. `object`: GraphQL output type whose fields are resolved one by one.
 * `interface`: GraphQL interface. `input`: GraphQL input object. `scalar`: GraphQL custom scalar; its node says what it is in JSON.
 */
export type DeclarationRole = "value" | "object" | "interface" | "input" | "scalar";

export type TypeDeclaration<At = Placed> = At & {
  /** PascalCase, a valid identifier, unique in the model. */
  readonly name: string;
  /** As the document spells it. */
  readonly originalName: string;
  readonly role: DeclarationRole;
  readonly type: TypeNode<At>;
  /** GraphQL: names of the interfaces that an object implements. */
  readonly implements: readonly string[];
};
