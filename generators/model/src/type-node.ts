import type { SourceRange } from "@nodewright/source";

export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** What a person reads about a thing. */
export interface Documentation {
  /** One line. */
  readonly summary?: string;
  /** Markdown. */
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Why, and what to use instead, where the document says so. */
  readonly deprecationReason?: string;
  readonly examples?: readonly JsonValue[];
  /** Where each of `examples` stands. */
  readonly exampleSources?: readonly SourceRange[];
}

/** A value that a document gives as an example of a type. */
export interface ValueExample {
  /** As the document calls it, where it does. */
  readonly name?: string;
  readonly value: JsonValue;
  readonly source: SourceRange;
}

interface NodeBase {
  /** Where the document says it. */
  readonly source: SourceRange;
  readonly documentation?: Documentation;
  readonly default?: JsonValue;
  /** Where the default stands. */
  readonly defaultSource?: SourceRange;
}

/** A node that speaks of one kind of JSON value. */
interface KindNode extends NodeBase {
  /**
   * True where the document says what holds for values of this kind and not that values are of it (`properties` without
   * `type: object`): values of other kinds match too. Its TypeScript type is that of the kind all the same.
   */
  readonly isKindImplied?: boolean;
}

/** Every JSON value. */
export interface AnyNode extends NodeBase {
  readonly kind: "any";
}

/** No value at all: JSON Schema's `false`. */
export interface NeverNode extends NodeBase {
  readonly kind: "never";
}

export interface NullNode extends NodeBase {
  readonly kind: "null";
}

export interface BooleanNode extends NodeBase {
  readonly kind: "boolean";
}

export interface StringNode extends KindNode {
  readonly kind: "string";
  /** In Unicode code points, as JSON Schema counts. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** An ECMA-262 pattern, to be matched with the `u` flag. */
  readonly pattern?: string;
  /** Named for readers of the generated code; asserted where `assertsFormat` says so. */
  readonly format?: string;
  /** True where the configuration asks that the format be checked, and the runtime knows it. */
  readonly assertsFormat?: boolean;
}

/** Bytes outside JSON: a body of `application/octet-stream`. */
export interface BytesNode extends NodeBase {
  readonly kind: "bytes";
}

/**
 * How a JSON number is held in memory.
 *
 * `number`: a double holds each allowed value. `bigint`: an integer whose bounds pass 2^53 - 1.
 * `bitcoin-amount`: on the wire a decimal of bitcoin with 8 places, in memory satoshi as a bigint.
 */
export type NumberRepresentation = "number" | "bigint" | "bitcoin-amount";

export interface NumberNode extends KindNode {
  readonly kind: "number";
  readonly integer: boolean;
  readonly representation: NumberRepresentation;
  /** Bounds are of the wire value. */
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly exclusiveMaximum?: number | bigint;
  readonly multipleOf?: number;
}

/** One of some values; a single value is JSON Schema's `const`. */
export interface EnumerationNode extends NodeBase {
  readonly kind: "enumeration";
  readonly values: readonly JsonValue[];
}

export interface ListNode extends KindNode {
  readonly kind: "list";
  /** Types of the first elements, by position. */
  readonly prefix: readonly TypeNode[];
  /** Type of the elements after the prefix. */
  readonly element: TypeNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** At least `minimum` (1 where the document does not say), at most `maximum` elements are of `type`. */
  readonly contains?: { readonly type: TypeNode; readonly minimum: number; readonly maximum?: number };
  /** True where `items` stands in the document, be it `true`: `UnevaluatedNode` then finds no element left. */
  readonly evaluatesAll?: boolean;
}

export interface RecordField {
  /** As on the wire. */
  readonly name: string;
  readonly type: TypeNode;
  readonly required: boolean;
  readonly access: "read-write" | "read-only" | "write-only";
  /**
   * True for a name that `required` lists and `properties` does not: `UnevaluatedNode` does not count it as evaluated. `type` is
   * then what `patterns` or `additional` say of it.
   */
  readonly isUndescribed?: boolean;
  /** True where its value changes although the object that it is part of stays the same (`x-volatile`). */
  readonly isVolatile?: boolean;
  /** GraphQL: the arguments that the field takes. Empty elsewhere. */
  readonly arguments: readonly Parameter[];
  readonly source: SourceRange;
  readonly documentation?: Documentation;
}

export interface RecordNode extends KindNode {
  readonly kind: "record";
  readonly fields: readonly RecordField[];
  /** Type of the members that no field or pattern names: `any` when open, `never` when closed. */
  readonly additional: TypeNode;
  readonly patterns: readonly { readonly pattern: string; readonly type: TypeNode }[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** What every name of a member has to be: JSON Schema's `propertyNames`. */
  readonly names?: TypeNode;
  /** Where `property` is present, the record matches `type` too: `dependentSchemas`, `dependentRequired`. */
  readonly dependencies?: readonly { readonly property: string; readonly type: TypeNode; readonly keyword: string }[];
  /** True where `additionalProperties` stands in the document, be it `true`: `UnevaluatedNode` then finds no member left. */
  readonly evaluatesAll?: boolean;
}

export interface UnionNode extends NodeBase {
  readonly kind: "union";
  /** `any-of`: at least one member matches; `one-of`: exactly one. */
  readonly mode: "any-of" | "one-of";
  readonly members: readonly TypeNode[];
  /**
   * `mapping`: value of the property → name of the declaration that it selects, for all members that are references. It says where
   * to look first, and what to say of a value that matches none; it does not change which values match.
   */
  readonly discriminator?: { readonly property: string; readonly mapping?: Readonly<Record<string, string>> };
}

/**
 * A value matches every member.
 *
 * Keywords of several kinds without a `type` (`minLength` beside `minimum`) are members with `isKindImplied`, one for each kind.
 * TypeScript shows these as the union of their kinds: no value is of two.
 */
export interface IntersectionNode extends NodeBase {
  readonly kind: "intersection";
  readonly members: readonly TypeNode[];
  /**
   * The values of a property by which the discriminator of a member selects this type. TypeScript shows them; like that of a union,
   * a discriminator does not change which values match.
   */
  readonly selection?: { readonly property: string; readonly values: readonly string[] };
}

/** A value does not match `type`. TypeScript has no word for it: it is left out of intersections and `unknown` by itself. */
export interface NotNode extends NodeBase {
  readonly kind: "not";
  readonly type: TypeNode;
}

/** A value that matches `condition` matches `consequence`, any other `alternative`: `if`, `then`, `else`. */
export interface ConditionalNode extends NodeBase {
  readonly kind: "conditional";
  readonly condition: TypeNode;
  readonly consequence: TypeNode;
  readonly alternative: TypeNode;
}

/**
 * A value matches `base`, and what of it `base` did not look at matches `members` or `elements` (JSON Schema 2020-12, section
 * 11). Absent where the document does not say.
 */
export interface UnevaluatedNode extends NodeBase {
  readonly kind: "unevaluated";
  readonly base: TypeNode;
  readonly members?: TypeNode;
  readonly elements?: TypeNode;
}

export interface ReferenceNode extends NodeBase {
  readonly kind: "reference";
  /** The `name` of a declaration of the same model. */
  readonly target: string;
}

/** A type as every emitter sees it. No OpenAPI, GraphQL or OpenRPC spelling survives here. */
export type TypeNode =
  | AnyNode
  | NeverNode
  | NullNode
  | BooleanNode
  | StringNode
  | BytesNode
  | NumberNode
  | EnumerationNode
  | ListNode
  | RecordNode
  | UnionNode
  | IntersectionNode
  | NotNode
  | ConditionalNode
  | UnevaluatedNode
  | ReferenceNode;

/**
 * What a declaration is for.
 *
 * `value`: data in both directions. `object`: GraphQL output type whose fields are resolved one by one.
 * `interface`: GraphQL interface. `input`: GraphQL input object. `scalar`: GraphQL custom scalar; its node says what it is in JSON.
 */
export type DeclarationRole = "value" | "object" | "interface" | "input" | "scalar";

export interface TypeDeclaration {
  /** PascalCase, a valid identifier, unique in the model. */
  readonly name: string;
  /** As the document spells it. */
  readonly originalName: string;
  readonly role: DeclarationRole;
  readonly type: TypeNode;
  /** GraphQL: names of the interfaces that an object implements. */
  readonly implements: readonly string[];
  readonly source: SourceRange;
  readonly documentation?: Documentation;
}

/** One input of an operation, or one argument of a GraphQL field. */
export interface Parameter {
  /** As on the wire. */
  readonly name: string;
  /** camelCase, a valid identifier, unique among the inputs of its operation. */
  readonly property: string;
  readonly location: "path" | "query" | "header" | "cookie" | "argument";
  readonly required: boolean;
  readonly type: TypeNode;
  readonly default?: JsonValue;
  /** OpenAPI's `style` and `explode`, resolved; `simple` and false elsewhere. */
  readonly style: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";
  readonly explode: boolean;
  /** True where reserved characters (RFC 3986, section 2.2) stand as they are in a query. */
  readonly allowReserved?: boolean;
  /** Of a parameter that is written as a whole document, such as JSON in a query; style and explode then say nothing. */
  readonly mediaType?: string;
  /** Values that the document shows for it, beside those of `type`. */
  readonly examples?: readonly ValueExample[];
  /** The text a request is refused with when this input is wrong, where the document fixes one (`x-invalid-message`). */
  readonly invalidMessage?: string;
  readonly source: SourceRange;
  readonly documentation?: Documentation;
}
