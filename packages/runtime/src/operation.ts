import type { Violation } from "./violation.ts";

/**
 * How the text of a parameter becomes a wire value: `scalar` is a number or boolean where the text spells one; `integer` and
 * `bigint` are integers without fraction and exponent, the latter of any size.
 */
export type ScalarDecoding = "string" | "number" | "integer" | "bigint" | "boolean" | "scalar";

/** How one parameter or property of a form is read from and written to text. */
export type Decoding = ScalarDecoding | StructureDecoding;

/** What texts become that stand for lists or objects: at least one of `list`, `record` and `additional` is there. */
export interface StructureDecoding {
  readonly list?: Decoding;
  /** By name of the member. */
  readonly record?: Readonly<Record<string, Decoding>>;
  /** Of the members that `record` does not name; absent: they stay text. */
  readonly additional?: Decoding;
  /** Where the value may also be a single text: what that spells. */
  readonly scalar?: ScalarDecoding;
}

/** OpenAPI's `style`. */
export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "cookie";

/** What a machine needs to know about one input of an operation. */
export interface ParameterFacts {
  /** As on the wire. */
  readonly name: string;
  /** Member of the input. */
  readonly property: string;
  /** `querystring`: the whole query, written as `mediaType` says. */
  readonly location: "path" | "query" | "querystring" | "header" | "cookie" | "argument";
  readonly required: boolean;
  /** Absent: `string` in a URL or header, any JSON value as an argument. */
  readonly decoding?: Decoding;
  /** Absent: `simple` in path and header, `form` elsewhere. */
  readonly style?: ParameterStyle;
  /** Absent: true for `form`, else false. */
  readonly explode?: boolean;
  /** True where reserved characters (RFC 3986, section 2.2) stand as they are in a query. */
  readonly allowReserved?: boolean;
  /** Of a parameter that is written as a whole document, such as JSON; style, explode and decoding then say nothing. */
  readonly mediaType?: string;
  /** Wire value of an input that was left out. */
  readonly default?: unknown;
  /** True when null is a value of it; otherwise a null argument counts as left out. */
  readonly nullable?: boolean;
  /** Text of the 400 that a wrong value gets. */
  readonly invalidMessage?: string;
}

/** Conversion of the wire values that stand for a `Value` in memory: present where they differ. */
export interface ValueCodec<Value> {
  /** The wire value is one that would pass `is`; throws for others where it can't be decoded. */
  decode?(wire: unknown): Value;
  encode?(value: Value): unknown;
}

/** Validation and conversion of the wire values that stand for a `Value` in memory. */
export interface ValueFacts<Value> extends ValueCodec<Value> {
  is(wire: unknown): boolean;
  violationsOf(wire: unknown, pointer?: string): readonly Violation[];
}

/** The facts of an answer without a body. */
export const noValue: ValueFacts<undefined> = {
  is: (wire) => wire === undefined || wire === null,
  violationsOf: (wire, pointer = "") =>
    wire === undefined || wire === null ? [] : [{ pointer, keyword: "type", message: "must be absent" }],
};

/**
 * How a body is written. `json-lines` also stands for `application/json-seq`. A body of `event-stream` and `json-lines` is a
 * sequence: an `AsyncIterable` in memory, whose items the validators of the operation are for.
 */
export type ContentForm = "json" | "text" | "binary" | "form" | "multipart" | "event-stream" | "json-lines";

/** How one property of a form or multipart body is written (OpenAPI's Encoding Object, with its defaults filled in). */
export interface PropertyFacts {
  /** As on the wire: name of a part, member of the body. */
  readonly name: string;
  /** What the texts of it spell. Absent: `string`. */
  readonly decoding?: Decoding;
  /** `text`: written as `style` and `explode` ask. `json`: a whole document. `binary`: bytes, of a part alone. */
  readonly form: "text" | "json" | "binary";
  /** True for a list that is written as one part or pair for each element, all of one name. */
  readonly isRepeated?: boolean;
  /** Of the part, or of each; may be several with commas between them, or a range. Absent: the usual one of `form`. */
  readonly contentType?: string;
  /** Absent: `form`. */
  readonly style?: ParameterStyle;
  /** Absent: true for `form`, else false. */
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
}

export interface ContentFacts {
  /** As the document spells it; may be a range, as in `image/*`. */
  readonly mediaType: string;
  readonly form: ContentForm;
  /** Of a text: what its characters spell; absent: itself. Of an event: what its data spells; absent: that is JSON. */
  readonly decoding?: ScalarDecoding;
  /** `form` and `multipart`: the properties that the document describes. */
  readonly properties?: readonly PropertyFacts[];
  /** `form` and `multipart`: how other properties are written; its name says nothing. Absent: as texts. */
  readonly additional?: PropertyFacts;
}

export interface HeaderFacts {
  /** Lower-case name on the wire. */
  readonly name: string;
  /** Member of the reply's `headers`. */
  readonly property: string;
  readonly required: boolean;
  /** How a structured value is written, in style `simple`. Absent: `string`. */
  readonly decoding?: Decoding;
  readonly explode?: boolean;
}

/** A status, all of one class, or every status that is not named otherwise. */
export type StatusPattern = number | "1XX" | "2XX" | "3XX" | "4XX" | "5XX" | "default";

export interface SuccessFacts {
  /** One status that has bodies of several media types stands once for each. */
  readonly status: StatusPattern;
  /** Absent when there is no body. */
  readonly content?: ContentFacts;
  readonly headers: readonly HeaderFacts[];
}

export interface FailureFacts {
  readonly name: string;
  readonly status?: StatusPattern;
  readonly rpcCode?: number;
  /** Of a body in JSON: present where wire and memory differ. */
  decode?(wire: unknown): unknown;
}

export interface MarkFacts {
  readonly disabledByDefault: boolean;
  readonly nodeControl: boolean;
  readonly units: number;
  readonly safe?: boolean;
  readonly servedBy?: "index" | "node";
}

/** How an answer goes on: the link that a document calls `next`. */
export interface NextPageFacts {
  /** Name of the operation that answers the next page. */
  readonly operation: string;
  /** Input property of that operation → a constant, or an OpenAPI runtime expression over this page's request and answer. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** How callers prove who they are. */
export interface SecuritySchemeFacts {
  readonly kind: "api-key" | "basic" | "bearer" | "other-http" | "mutual-tls";
  readonly location: "query" | "header" | "cookie";
  /** Name of the query parameter, header or cookie. */
  readonly parameter: string;
  /** `other-http`: the word before the credentials, as in `Digest`. */
  readonly scheme?: string;
}

/** Schemes that are needed together; none lets everybody in. */
export type SecurityRequirementFacts = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

interface CallFacts<Input, Output> {
  readonly name: string;
  /** As a person names it: `GET /tx/{txid}`, `getblock`. */
  readonly origin: string;
  readonly tags: readonly string[];
  readonly parameters: readonly ParameterFacts[];
  readonly failures: readonly FailureFacts[];
  readonly marks: MarkFacts;
  /** True when a repeated call does no harm, so that a client may retry it. */
  readonly idempotent: boolean;
  readonly input: ValueCodec<Input>;
  readonly output: ValueCodec<Output>;
}

/** What a client has to know of an operation of HTTP. */
export interface HttpCall<Input = unknown, Output = unknown> extends CallFacts<Input, Output> {
  readonly kind: "http";
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "TRACE" | "QUERY";
  /** With `{name}` holes. */
  readonly path: string;
  /**
   * Where there are several contents, the input's member `contentType` says in which of them `body` is written: for clients,
   * absent means the one of the generated type that needs none.
   */
  readonly body?: { readonly required: boolean; readonly contents: readonly ContentFacts[] };
  /** Of the items of a request body that is a sequence: of the data of events. Present where wire and memory differ. */
  readonly inputItemCodec?: ValueCodec<unknown>;
  /** At least one; the first is the one that clients expect. */
  readonly successes: readonly [SuccessFacts, ...SuccessFacts[]];
  /** `reply`: handlers answer `{ status?, contentType?, headers?, body? }`; `body`: the output itself. */
  readonly answers: "body" | "reply";
  /**
   * True where one status has bodies of several media types: the input's member `accept` then names the one that a client asks
   * for, and tells a handler which was negotiated. Absent for clients: the first.
   */
  readonly negotiates?: boolean;
  /** Alternatives, any of which lets a caller in. Absent: the document does not say. */
  readonly security?: readonly SecurityRequirementFacts[];
  readonly next?: NextPageFacts;
}

/** The same with the validators of what goes in and out. */
export interface HttpOperation<Input = unknown, Output = unknown> extends HttpCall<Input, Output> {
  readonly input: ValueFacts<Input>;
  readonly output: ValueFacts<Output>;
  /** Of the items of a request body that is a sequence: of the data of events. The body itself is then any value to `input`. */
  readonly inputItem?: ValueFacts<unknown>;
}

/** What a client has to know of a method of JSON-RPC. */
export interface RpcCall<Input = unknown, Output = unknown> extends CallFacts<Input, Output> {
  readonly kind: "rpc";
  /** As on the wire. */
  readonly method: string;
  /** How clients write parameters. Absent: `either`. */
  readonly parameterStructure?: "by-position" | "by-name" | "either";
  /** True where the document gives the method no result: it is called without an id, and answers nothing. */
  readonly isNotification?: boolean;
}

/** The same with the validators of what goes in and out. */
export interface RpcOperation<Input = unknown, Output = unknown> extends RpcCall<Input, Output> {
  readonly input: ValueFacts<Input>;
  readonly output: ValueFacts<Output>;
}

/** A field of a GraphQL root type. */
export interface GraphqlOperation {
  readonly kind: "graphql";
  readonly name: string;
  readonly origin: string;
  readonly root: "query" | "mutation" | "subscription";
  readonly field: string;
  readonly marks: MarkFacts;
}

/** How an operation over a range of integers is asked for page by page. A path is the names of members, one inside the other. */
export interface PageRangeFacts {
  /** Path of the variable that holds the range's first integer. */
  readonly from: readonly string[];
  /** Path of the variable that holds its last one, which is part of it. */
  readonly to: readonly string[];
  /** Path in the answer of the list that pages hold pieces of. */
  readonly items: readonly string[];
  /** How many integers a page is asked for unless the caller says otherwise. */
  readonly length: number;
  /** Path, in the answer of another operation, of the integer at which a range ends that is left open. Absent: none may be. */
  readonly end?: readonly string[];
}

/** A GraphQL operation document that a client can send. */
export interface GraphqlDocumentFacts<Variables = unknown, Data = unknown> {
  readonly kind: "graphql-document";
  readonly name: string;
  readonly root: "query" | "mutation" | "subscription";
  readonly text: string;
  readonly input: ValueFacts<Variables>;
  readonly output: ValueFacts<Data>;
  readonly pages?: PageRangeFacts;
}

/** Any operation of any protocol, as hooks see it. */
export type AnyOperation = HttpOperation | RpcOperation | GraphqlOperation;

/** What answers an operation: a plain function that throws `ServiceError` for what the document calls a failure. */
export type Handler<Input, Answer, Context> = (input: Input, context: Context) => Answer | Promise<Answer>;
