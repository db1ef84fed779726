/** A JSON value without members or elements. */
export type JsonPrimitive = string | number | boolean | null;
/** Any JSON value. Numbers are doubles. */
export type JsonValue = JsonPrimitive | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/**
 * Location in a document: `line:column`, both 1-based, in the model's own document, `schemas/block.yaml:12:5` in another one.
 *
 * In suites of generated packages, which must not change with every line of the document, a JSON Pointer instead, and only for operations,
 * inputs, responses and declared types: `#/paths/~1tx/get`, `schemas/block.yaml#/Block`.
 */
export type Place = string;

/** Location of each part of a serialised model. While a document is read, parts have the position itself. */
export interface Placed {
  readonly place?: Place;
}

interface NodeBase {
  readonly default?: JsonValue;
  /** In a serialised model: example values in the document. */
  readonly examples?: readonly JsonValue[];
}

/** A node about one kind of JSON value. */
interface KindNode extends NodeBase {
  /**
   * Whether the schema constrains values of this kind without requiring the kind (`properties` without `type: object`): values of other
   * kinds match too. Its TypeScript type is that of the kind all the same.
   */
  readonly isKindImplied?: boolean;
}

/** Every JSON value. */
export type AnyNode<At = Placed> = At & NodeBase & { readonly kind: "any" };

/** No value at all: JSON Schema's `false`. */
export type NeverNode<At = Placed> = At & NodeBase & { readonly kind: "never" };

/** Type of `null`. */
export type NullNode<At = Placed> = At & NodeBase & { readonly kind: "null" };

/** Type of `true` and `false`. */
export type BooleanNode<At = Placed> = At & NodeBase & { readonly kind: "boolean" };

/** Bytes outside JSON: a body of `application/octet-stream`. */
export type BytesNode<At = Placed> = At & NodeBase & { readonly kind: "bytes" };

/** Type of strings. */
export type StringNode<At = Placed> = At &
  KindNode & {
    readonly kind: "string";
    /** Length in Unicode code points, as in JSON Schema. */
    readonly minLength?: number;
    readonly maxLength?: number;
    /** An ECMA-262 pattern, matched with the `u` flag. */
    readonly pattern?: string;
    /** Format, as an annotation; only generated validators assert it, if `assertsFormat` is set. */
    readonly format?: string;
    /** Whether the configuration requests a check of the format, and the runtime supports it. */
    readonly assertsFormat?: boolean;
  };

/**
 * Representation of a JSON number in memory.
 *
 * `number`: a double represents each allowed value. `bigint`: an integer whose bounds exceed 2^53 - 1. `bitcoin-amount`: on the wire a
 * decimal of bitcoin with 8 places, in memory satoshi as a bigint.
 */
export type NumberRepresentation = "number" | "bigint" | "bitcoin-amount";

/** Bound of the wire value; a bigint if a double cannot represent it. */
export type Bound = number | bigint;

/** Type of numbers. */
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

/** Type of JSON arrays. */
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
    /** Whether the list contains only some of the elements, according to its description: "the three best known". */
    readonly isExcerpt?: boolean;
    /** Constraint that at least `minimum` (1 by default) and at most `maximum` elements match `type`. */
    readonly contains?: { readonly type: TypeNode<At>; readonly minimum: number; readonly maximum?: number };
    /** Whether `items` is present in the document, even as `true`: no element is then left for `UnevaluatedNode`. */
    readonly evaluatesAll?: boolean;
  };

/** `read-only` members are not sent, `write-only` ones not returned. */
export type Access = "read-write" | "read-only" | "write-only";

/** Facts about a value in the prose of its description, in addition to its type. */
export interface DescribedFacts {
  /** Whether false as a filter may allow all elements, instead of the opposite selection. */
  readonly isOneSided?: boolean;
  /** Whether a number of elements counts those on all pages. */
  readonly isTotal?: boolean;
  /** Whether a number of elements counts those on the page. */
  readonly isOfPage?: boolean;
  /** Limit up to which a number of elements is exact; 0 for an estimate. */
  readonly isExactTo?: number;
}

export type RecordMember<At = Placed> = At &
  DescribedFacts & {
    /** Name on the wire. */
    readonly name: string;
    readonly type: TypeNode<At>;
    readonly required: boolean;
    /** Absent: `read-write`. */
    readonly access?: Access;
    /**
     * Whether the name is listed in `required` and not in `properties`: `UnevaluatedNode` does not count it as evaluated. `type` then
     * follows from `patterns` or `additional`.
     */
    readonly isUndescribed?: boolean;
    /** Whether its value changes although the object that contains it stays the same (`x-volatile`). */
    readonly isVolatile?: boolean;
    /** Whether a member that bounds another value is an inclusive bound, according to the document. */
    readonly includesBound?: boolean;
    /** GraphQL: arguments of the field. */
    readonly arguments?: readonly Parameter<At>[];
  };

/** An example value of a type in a document. */
export type ValueExample<At = Placed> = At & {
  /** Name in the document, if it has one. */
  readonly name?: string;
  readonly value: JsonValue;
};

/** One input of an operation, or one argument of a GraphQL field. */
export type Parameter<At = Placed> = At & {
  /** Name on the wire. */
  readonly name: string;
  /** camelCase, a valid identifier, unique among the inputs of its operation. */
  readonly property: string;
  readonly location: "path" | "query" | "header" | "cookie" | "argument";
  readonly required: boolean;
  readonly type: TypeNode<At>;
  readonly default?: JsonValue;
  /** OpenAPI's `style` and `explode`, resolved; `simple` and false elsewhere. */
  readonly style: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";
  readonly explode: boolean;
  /** Whether reserved characters (RFC 3986, section 2.2) are sent unencoded in a query. */
  readonly allowReserved?: boolean;
  /** Media type of a parameter that is a complete document, such as JSON in a query; style and explode then do not apply. */
  readonly mediaType?: string;
  /** Example values in the document, in addition to those of `type`. */
  readonly examples?: readonly ValueExample<At>[];
  /** Error message for a request in which this input is invalid, if the document specifies one (`x-invalid-message`). */
  readonly invalidMessage?: string;
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
    /** Type that every member name must match: JSON Schema's `propertyNames`. */
    readonly names?: TypeNode<At>;
    /** Where `property` is present, the record matches `type` too: `dependentSchemas`, `dependentRequired`. */
    readonly dependencies?: readonly Dependency<At>[];
    /** Whether `additionalProperties` is present in the document, even as `true`: no member is then left for `UnevaluatedNode`. */
    readonly evaluatesAll?: boolean;
  };

/** Constraint on a record in which `property` is present. */
export interface Dependency<At = Placed> {
  readonly property: string;
  readonly type: TypeNode<At>;
  /** JSON Schema keyword of the dependency. */
  readonly keyword?: string;
}

/** Type of values that match any of the members, or exactly one. */
export type UnionNode<At = Placed> = At &
  NodeBase & {
    readonly kind: "union";
    /** `any-of`: at least one member matches; `one-of`: exactly one. */
    readonly mode: "any-of" | "one-of";
    readonly members: readonly TypeNode<At>[];
    /**
     * `mapping`: value of the property → name of the declaration that it selects, for all members that are references. It determines which
     * member is tried first, and which one is reported on for a value that matches none; it does not change which values match.
     */
    readonly discriminator?: { readonly property: string; readonly mapping?: Readonly<Record<string, string>> };
  };

/**
 * A value matches every member.
 *
 * Keywords of several kinds without a `type` (`minLength` next to `minimum`) are members with `isKindImplied`, one for each kind.
 * TypeScript shows these as the union of their kinds: no value has two.
 */
export type IntersectionNode<At = Placed> = At &
  NodeBase & {
    readonly kind: "intersection";
    readonly members: readonly TypeNode<At>[];
    /**
     * Values of a property by which the discriminator of a member selects this type. TypeScript shows them; like that of a union, a
     * discriminator does not change which values match.
     */
    readonly selection?: { readonly property: string; readonly values: readonly string[] };
  };

/** A value does not match `type`. TypeScript can't express it: it is left out of intersections and `unknown` by itself. */
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
 * A value matches `base`, and the parts of it that `base` did not evaluate match `members` or `elements` (JSON Schema 2020-12, section 11).
 * Either is absent if the document does not specify it.
 */
export type UnevaluatedNode<At = Placed> = At &
  NodeBase & {
    readonly kind: "unevaluated";
    readonly base: TypeNode<At>;
    readonly members?: TypeNode<At>;
    readonly elements?: TypeNode<At>;
  };

/** Reference to a named type of the same model. */
export type ReferenceNode<At = Placed> = At &
  NodeBase & {
    readonly kind: "reference";
    /** The `name` of a declaration of the same model. */
    readonly target: string;
  };

/**
 * The type of a value: JSON Schema 2020-12 in the model's terms, independent of the spelling in OpenAPI, GraphQL or OpenRPC. Members with a
 * default are left out when a model is serialised. `At` is the additional content of each part.
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

/** Returns the type with a name. */
export type TypeLookup<At = Placed> = (name: string) => TypeNode<At> | undefined;

/**
 * Purpose of a declaration.
 *
 * `value`: data in both directions. `object`: GraphQL output type whose fields are resolved one by one. `interface`: GraphQL interface.
 * `input`: GraphQL input object. `scalar`: GraphQL custom scalar; its node is its type in JSON.
 */
export type DeclarationRole = "value" | "object" | "interface" | "input" | "scalar";

/** A named type of a document: a component schema, or a type of a GraphQL schema. */
export type TypeDeclaration<At = Placed> = At & {
  /** PascalCase, a valid identifier, unique in the model. */
  readonly name: string;
  /** Name as the document spells it. */
  readonly originalName: string;
  readonly role: DeclarationRole;
  readonly type: TypeNode<At>;
  /** GraphQL: names of the interfaces that an object implements. */
  readonly implements: readonly string[];
};
