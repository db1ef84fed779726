import type { Violation } from "../errors/violation.ts";

/**
 * Conversion of a parameter's text to a wire value: `scalar` is a number or boolean where the text represents one; `integer` and `bigint`
 * are integers without fraction and exponent, the latter of any size.
 */
export type ScalarDecoding = "string" | "number" | "integer" | "bigint" | "boolean" | "scalar";

/** Conversion of one parameter or form property from and to text. */
export type Decoding = ScalarDecoding | StructureDecoding;

/** Conversion of texts that represent lists or objects: at least one of `list`, `record` and `additional` is present. */
export interface StructureDecoding {
  readonly list?: Decoding;
  /** Conversions by name of the member. */
  readonly record?: Readonly<Record<string, Decoding>>;
  /** Conversion of the members that `record` does not name; absent: they stay text. */
  readonly additional?: Decoding;
  /** Conversion of a single text, where the value may also be one. */
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

/** Facts about one input of an operation. */
export interface ParameterFacts {
  /** Name on the wire. */
  readonly name: string;
  /** Member of the input. */
  readonly property: string;
  /** Location. `querystring`: the complete query, in the format of `mediaType`. */
  readonly location: "path" | "query" | "querystring" | "header" | "cookie" | "argument";
  readonly required: boolean;
  /** Conversion. Absent: `string` in a URL or header, any JSON value as an argument. */
  readonly decoding?: Decoding;
  /** Style. Absent: `simple` in path and header, `form` elsewhere. */
  readonly style?: ParameterStyle;
  /** Whether the value is exploded. Absent: true for `form`, otherwise false. */
  readonly explode?: boolean;
  /** Whether reserved characters (RFC 3986, section 2.2) are not encoded in a query. */
  readonly allowReserved?: boolean;
  /** Media type of a parameter that is a complete document, such as JSON; style, explode and decoding then do not apply. */
  readonly mediaType?: string;
  /** Wire value of an omitted input. */
  readonly default?: unknown;
  /** Whether null is a valid value; otherwise a null argument counts as omitted. */
  readonly nullable?: boolean;
  /** Message of the 400 for an invalid value. */
  readonly invalidMessage?: string;
}

/** Conversion of the wire values of a `Value` in memory: present where they differ. */
export interface ValueCodec<Value> {
  /** Decodes a wire value that is valid against `is`; throws for others where it can't be decoded. */
  decode?(wire: unknown): Value;
  encode?(value: Value): unknown;
}

/** Validation and conversion of the wire values of a `Value` in memory. */
export interface ValueFacts<Value> extends ValueCodec<Value> {
  is(wire: unknown): boolean;
  violationsOf(wire: unknown, pointer?: string): readonly Violation[];
}

/** Facts of a response without a body. */
export const noValue: ValueFacts<undefined> = {
  is: (wire) => wire === undefined || wire === null,
  violationsOf: (wire, pointer = "") =>
    wire === undefined || wire === null ? [] : [{ pointer, keyword: "type", message: "must be absent" }],
};

/**
 * Form of a body. `json-lines` also stands for `application/json-seq`. A body of `event-stream` and `json-lines` is a sequence: an
 * `AsyncIterable` in memory, to whose items the validators of the operation apply.
 */
export type ContentForm = "json" | "text" | "binary" | "form" | "multipart" | "event-stream" | "json-lines";

/** Encoding of one property of a form or multipart body (OpenAPI's Encoding Object, with its defaults filled in). */
export interface PropertyFacts {
  /** Name on the wire: name of a part, member of the body. */
  readonly name: string;
  /** Conversion of its texts. Absent: `string`. */
  readonly decoding?: Decoding;
  /** Form. `text`: as `style` and `explode` define. `json`: a complete document. `binary`: bytes, of a part only. */
  readonly form: "text" | "json" | "binary";
  /** Whether a list has one part or pair for each element, all of one name. */
  readonly isRepeated?: boolean;
  /** Content type of the part, or of each; may be several with commas between them, or a range. Absent: the usual one of `form`. */
  readonly contentType?: string;
  /** Style. Absent: `form`. */
  readonly style?: ParameterStyle;
  /** Whether the value is exploded. Absent: true for `form`, otherwise false. */
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
}

/** Body of one media type: how it is encoded. */
export interface ContentFacts {
  /** Media type as in the document; may be a range, as in `image/*`. */
  readonly mediaType: string;
  readonly form: ContentForm;
  /** Conversion. In a text: of its characters; absent: none. In an event: of its data; absent: that is JSON. */
  readonly decoding?: ScalarDecoding;
  /** Properties that the document describes, for `form` and `multipart`. */
  readonly properties?: readonly PropertyFacts[];
  /** Encoding of other properties, for `form` and `multipart`; its name is unused. Absent: as texts. */
  readonly additional?: PropertyFacts;
}

/** A declared header of a response. */
export interface HeaderFacts {
  /** Lower-case name on the wire. */
  readonly name: string;
  /** Member of the reply's `headers`. */
  readonly property: string;
  readonly required: boolean;
  /** Conversion of a structured value, in style `simple`. Absent: `string`. */
  readonly decoding?: Decoding;
  readonly explode?: boolean;
}

/** A status, all of one class, or every status without another entry. */
export type StatusPattern = number | "1XX" | "2XX" | "3XX" | "4XX" | "5XX" | "default";

/** A declared successful response of an HTTP operation. */
export interface SuccessFacts {
  /** Status. One with bodies of several media types has an entry for each. */
  readonly status: StatusPattern;
  /** Content; absent when there is no body. */
  readonly content?: ContentFacts;
  readonly headers: readonly HeaderFacts[];
}

/** A declared error: the HTTP status or JSON-RPC code that identifies it. */
export interface FailureFacts {
  readonly name: string;
  readonly status?: StatusPattern;
  readonly rpcCode?: number;
  /** Decodes a JSON body: present where wire and memory differ. */
  decode?(wire: unknown): unknown;
}

/** Extensions (`x-…`) of an operation that a server acts on. */
export interface ExtensionFacts {
  readonly disabledByDefault: boolean;
  readonly nodeControl: boolean;
  readonly units: number;
  readonly safe?: boolean;
  readonly servedBy?: "index" | "node";
}

/** Continuation of a response: the link that a document calls `next`. */
export interface NextPageFacts {
  /** Name of the operation that returns the next page. */
  readonly operation: string;
  /** Constants or OpenAPI runtime expressions over this page's request and response, by input property of that operation. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Facts about the authentication of clients. */
export interface SecuritySchemeFacts {
  readonly kind: "api-key" | "basic" | "bearer" | "other-http" | "mutual-tls";
  readonly location: "query" | "header" | "cookie";
  /** Name of the query parameter, header or cookie. */
  readonly parameter: string;
  /** Word before the credentials, as in `Digest`; for `other-http`. */
  readonly scheme?: string;
}

/** Schemes that are required together; an empty list admits every client. */
export type SecurityRequirementFacts = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

interface CallFacts<Input, Output> {
  readonly name: string;
  /** Origin for a person: `GET /tx/{txid}`, `getblock`. */
  readonly origin: string;
  readonly tags: readonly string[];
  readonly parameters: readonly ParameterFacts[];
  readonly failures: readonly FailureFacts[];
  readonly extensions: ExtensionFacts;
  /** Whether a repeated call is harmless, so that a client may retry it. */
  readonly idempotent: boolean;
  readonly input: ValueCodec<Input>;
  readonly output: ValueCodec<Output>;
}

/** Facts of an HTTP operation for a client. */
export interface HttpCall<Input = unknown, Output = unknown> extends CallFacts<Input, Output> {
  readonly kind: "http";
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "TRACE" | "QUERY";
  /** Path with `{name}` parameters. */
  readonly path: string;
  /**
   * Request body. With several contents, the input's member `contentType` selects the one in which `body` is written: for clients, absent
   * means the one of the generated type that needs none.
   */
  readonly body?: { readonly required: boolean; readonly contents: readonly ContentFacts[] };
  /** Codec of the items of a request body that is a sequence: of the data of events. Present where wire and memory differ. */
  readonly inputItemCodec?: ValueCodec<unknown>;
  /** Successes, at least one; the first is the one that clients expect. */
  readonly successes: readonly [SuccessFacts, ...SuccessFacts[]];
  /** Form of results. `reply`: handlers return `{ status?, contentType?, headers?, body? }`; `body`: the output itself. */
  readonly returns: "body" | "reply";
  /**
   * Whether one status has bodies of several media types: the input's member `accept` is then the one that a client requests, and for a
   * handler the negotiated one. Absent for clients: the first.
   */
  readonly negotiates?: boolean;
  /** Alternatives, any of which admits a client. Absent: the document does not define them. */
  readonly security?: readonly SecurityRequirementFacts[];
  readonly next?: NextPageFacts;
}

/** The same with the validators of inputs and outputs. */
export interface HttpOperation<Input = unknown, Output = unknown> extends HttpCall<Input, Output> {
  readonly input: ValueFacts<Input>;
  readonly output: ValueFacts<Output>;
  /** Facts of the items of a request body that is a sequence: of the data of events. The body itself is then any value to `input`. */
  readonly inputItem?: ValueFacts<unknown>;
}

/** Facts of a JSON-RPC method for a client. */
export interface RpcCall<Input = unknown, Output = unknown> extends CallFacts<Input, Output> {
  readonly kind: "rpc";
  /** Name on the wire. */
  readonly method: string;
  /** Structure in which clients write parameters. Absent: `either`. */
  readonly parameterStructure?: "by-position" | "by-name" | "either";
  /** Whether the document gives the method no result: it is called without an id, and has no response. */
  readonly isNotification?: boolean;
}

/** The same with the validators of inputs and outputs. */
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
  readonly extensions: ExtensionFacts;
}

/** Facts for calling an operation over a range of integers page by page. A path is a list of nested member names. */
export interface PageRangeFacts {
  /** Path of the variable that contains the range's first integer. */
  readonly from: readonly string[];
  /** Path of the variable that contains its last one, which is included. */
  readonly to: readonly string[];
  /** Path in the result of the list that is divided among pages. */
  readonly items: readonly string[];
  /** Default length of a page, in integers. */
  readonly length: number;
  /** Path, in the result of another operation, of the end of an open range. Absent: no range may be open. */
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

/** Any operation of any protocol, as in hooks. */
export type AnyOperation = HttpOperation | RpcOperation | GraphqlOperation;

/** Handler of an operation: a plain function that throws `ServiceError` for failures of the document. */
export type Handler<Input, Result, Context> = (input: Input, context: Context) => Result | Promise<Result>;
