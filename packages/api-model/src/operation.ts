import type { JsonValue, Placed, TypeDeclaration, TypeNode } from "./type-node.ts";

/** A value that a document gives as an example of a type. */
export type ValueExample<At = Placed> = At & {
  /** As the document calls it, where it does. */
  readonly name?: string;
  readonly value: JsonValue;
};

/** One input of an operation, or one argument of a GraphQL field. */
export type Parameter<At = Placed> = At & {
  /** As on the wire. */
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
  /** True where reserved characters (RFC 3986, section 2.2) stand as they are in a query. */
  readonly allowReserved?: boolean;
  /** Of a parameter that is written as a whole document, such as JSON in a query; style and explode then say nothing. */
  readonly mediaType?: string;
  /** Values that the document shows for it, beside those of `type`. */
  readonly examples?: readonly ValueExample<At>[];
  /** The text a request is refused with when this input is wrong, where the document fixes one (`x-invalid-message`). */
  readonly invalidMessage?: string;
};

/**
 * How a body is written.
 *
 * `form`: `application/x-www-form-urlencoded`. `multipart`: parts by name, files among them. `event-stream`: server-sent events.
 * `json-lines`: one JSON value a line (`application/x-ndjson`, `application/jsonl`, `application/json-seq`).
 */
export type ContentForm = "json" | "text" | "binary" | "form" | "multipart" | "event-stream" | "json-lines";

/** How one property of a form or multipart body is written (OpenAPI's Encoding Object). */
export interface PropertyEncoding<At = Placed> {
  /** Of the part; for forms, of the value where it is no plain text. */
  readonly contentType?: string;
  readonly style?: Parameter<At>["style"];
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly headers?: readonly ResponseHeader<At>[];
}

/** A body and how it is written. */
export interface Content<At = Placed> {
  /** For example `application/json`. */
  readonly mediaType: string;
  readonly form: ContentForm;
  /** Of the whole body; of one item for `event-stream` (its data) and `json-lines`. */
  readonly type: TypeNode<At>;
  /** `form` and `multipart`: by name of the property, where the document says more than the defaults. */
  readonly encoding?: Readonly<Record<string, PropertyEncoding<At>>>;
  /** Values that the document shows for it, whether or not they make a case. */
  readonly examples?: readonly ValueExample<At>[];
}

export type RequestBody<At = Placed> = At & {
  readonly required: boolean;
  readonly contents: readonly Content<At>[];
};

export type ResponseHeader<At = Placed> = Partial<At> & {
  /** As on the wire, for example `Cache-Control`. */
  readonly name: string;
  /** camelCase, for example `cacheControl`. */
  readonly property: string;
  readonly required: boolean;
  readonly type: TypeNode<At>;
};

/** A status, all of one class, or every status that is not named otherwise. */
export type StatusPattern = number | "1XX" | "2XX" | "3XX" | "4XX" | "5XX" | "default";

/** A way in which an operation succeeds. A status that has bodies of several media types stands once for each. */
export type Success<At = Placed> = At & {
  /** HTTP status; 200 for JSON-RPC and GraphQL. */
  readonly status: StatusPattern;
  /** Absent when there is no body. */
  readonly content?: Content<At>;
  /** The same body in other media types, which servers may respond with and callers have no reason to ask for: `text/json`. */
  readonly equivalents?: readonly Content<At>[];
  readonly headers: readonly ResponseHeader<At>[];
  readonly description: string;
};

/** A way in which an operation fails, as its document declares it. */
export type Failure<At = Placed> = At & {
  /** PascalCase, unique within the operation: `NotFound`, `BlockNotFound`. */
  readonly name: string;
  /** HTTP status; absent for JSON-RPC errors. */
  readonly status?: StatusPattern;
  /** JSON-RPC error code; absent for HTTP. */
  readonly rpcCode?: number;
  readonly message: string;
  /** JSON-RPC: what the document shows as the `data` of the error. */
  readonly data?: JsonValue;
  readonly contents: readonly Content<At>[];
  readonly headers: readonly ResponseHeader<At>[];
};

/** Inputs by `Parameter.property`; the body, if any, under `body`. */
export type ExampleInput = Readonly<Record<string, JsonValue>>;

/** One documented request with its documented answer: a conformance case. */
export type Example<At = Placed> = At & {
  /** kebab-case, unique within the operation. */
  readonly name: string;
  readonly summary?: string;
  /** Wire values, bytes in base64. GraphQL: variables by name. */
  readonly input: ExampleInput;
  /** JSON-RPC: the parameters by position, where they cannot be said by name because there are too many. */
  readonly params?: readonly JsonValue[];
  readonly outcome:
    | {
        readonly kind: "success";
        readonly status: number;
        readonly value: JsonValue;
        readonly headers?: Readonly<Record<string, JsonValue>>;
      }
    /** `message` is the text of the failure where the example fixes it. */
    | {
        readonly kind: "failure";
        readonly status?: number;
        readonly rpcCode?: number;
        readonly message?: string;
        readonly graphqlCode?: string;
      };
  /** True when the answer changes as the chain grows: it is held against its type alone, not by value (`x-live`). */
  readonly isLive?: boolean;
  /**
   * True when what the example asks for need not be there: the answer is of its type, or a failure that the operation declares
   * (`x-may-fail`).
   */
  readonly mayFail?: boolean;
};

/** OpenAPI and OpenRPC links: a value of this answer is an input of another operation. */
export type Link<At = Placed> = At & {
  readonly name: string;
  /** `Operation.name` of the target. */
  readonly operation: string;
  /** Input property of the target → runtime expression over this operation's answer. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** Status of the failure response that has the link. Absent: it is of the successes. */
  readonly status?: StatusPattern;
  readonly description?: string;
};

/** The `x-` marks of our documents, defined here once and validated by the readers. */
export interface Marks {
  /** `x-disabled-by-default`: off for a subscription until it is asked for. */
  readonly disabledByDefault: boolean;
  /** `x-node-control`: acts on the node itself; never forwarded from a shared node. */
  readonly nodeControl: boolean;
  /** `x-safe`: may be sent to a production node by a conformance run. Absent: derived from method and name. */
  readonly safe?: boolean;
  /** `x-units`: weight in usage; 1 when absent. */
  readonly units: number;
  /** `x-served-by`. */
  readonly servedBy?: "index" | "node";
  /** `x-immutable`: one input always has the same answer, once it has one, but for volatile members. */
  readonly immutable?: boolean;
}

/** Something that holds between an answer and other answers: an element of `x-relations`. */
export type Relation<At = Placed> = At & {
  /** kebab-case, unique in its operation. */
  readonly name: string;
  /**
   * A JSONata expression over the answer that is true where the relation holds, and nothing where it can't be told. `$input` is the
   * request's input; `$call(operation, input)` the answer of another operation.
   */
  readonly holds: string;
  /** Why it has to hold, in one sentence. */
  readonly because?: string;
};

/** The methods that a document can describe by name: of RFC 9110, section 9.3, with PATCH of RFC 5789 and QUERY of OpenAPI 3.2. */
export const httpMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"] as const;

export interface HttpBinding {
  readonly kind: "http";
  readonly method: (typeof httpMethods)[number];
  /** With `{name}` holes, as in the document. */
  readonly path: string;
}

export interface RpcBinding {
  readonly kind: "rpc";
  /** As on the wire. */
  readonly method: string;
  /** Absent: the document does not say, which means `either` (OpenRPC). */
  readonly parameterStructure?: "by-position" | "by-name" | "either";
}

export interface GraphqlBinding {
  readonly kind: "graphql";
  readonly root: "query" | "mutation" | "subscription";
  readonly field: string;
}

/** Something a caller can ask for: an HTTP operation, an RPC method, a field of a GraphQL root type. */
export type Operation<At = Placed> = At & {
  /** camelCase, a valid identifier, unique in the model. */
  readonly name: string;
  /** As a person names it: `GET /tx/{txid}`, `getblock`, `Query.block`. */
  readonly origin: string;
  readonly binding: HttpBinding | RpcBinding | GraphqlBinding;
  readonly tags: readonly string[];
  /** In document order; positional for JSON-RPC. */
  readonly parameters: readonly Parameter<At>[];
  readonly body?: RequestBody<At>;
  /** At least one, the first being the one clients expect. */
  readonly successes: readonly [Success<At>, ...Success<At>[]];
  readonly failures: readonly Failure<At>[];
  readonly examples: readonly Example<At>[];
  readonly links: readonly Link<At>[];
  /** Absent where the document declares none. */
  readonly relations?: readonly Relation<At>[];
  readonly marks: Marks;
  /** Alternatives, any of which lets a caller in; `[]` in it lets everybody in. Absent where the document says nothing. */
  readonly security?: readonly SecurityRequirement[];
};

/** Schemes that are needed together. */
export type SecurityRequirement = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

/** A request that the API makes and that its callers serve. Its binding's path is `/<name>`. */
export type IncomingOperation<At = Placed> = Operation<At> & {
  readonly trigger:
    | { readonly kind: "webhook"; readonly name: string }
    /** `expression`: runtime expression of the URL; `operation`: `Operation.name` of the request that asks for the calls. */
    | { readonly kind: "callback"; readonly name: string; readonly expression: string; readonly operation: string };
};

/** Where an API is served. */
export interface Server {
  /** With `{name}` holes; may be relative to where the document was found. */
  readonly url: string;
  readonly name?: string;
  readonly description?: string;
  readonly variables: readonly {
    readonly name: string;
    readonly default: string;
    readonly values?: readonly string[];
    readonly description?: string;
  }[];
}

/**
 * How an operation over a range of integers is asked for page by page. A path is the names of members, one inside the other:
 * `["filter", "fromBlock"]`.
 */
export interface PageDeclaration {
  /** Path of the variable that holds the range's first integer. */
  readonly from: readonly string[];
  /** Path of the variable that holds its last one, which is part of it. */
  readonly to: readonly string[];
  /** Path in the answer of the list that pages hold pieces of. */
  readonly items: readonly string[];
  /** How many integers a page is asked for unless the caller says otherwise; at least 1. */
  readonly length: number;
  /** Where a range ends that is left open: `GraphqlDocument.name` of a query that needs no variables, and a path in its answer. */
  readonly end?: { readonly document: string; readonly path: readonly string[] };
}

/** A named GraphQL operation written beside the schema, for clients and the suite. */
export type GraphqlDocument<At = Placed> = At & {
  /** camelCase, unique. */
  readonly name: string;
  readonly root: "query" | "mutation" | "subscription";
  /** The operation with the fragments it uses, normalised. */
  readonly text: string;
  readonly variables: readonly Parameter<At>[];
  /** Shape of `data`. */
  readonly result: TypeNode<At>;
  /** Names of the root fields that it selects. */
  readonly rootFields: readonly string[];
  readonly pages?: PageDeclaration;
  readonly examples: readonly Example<At>[];
  /** Absent where nothing is declared beside the document. */
  readonly relations?: readonly Relation<At>[];
};

/** How callers prove who they are. */
export interface SecurityScheme {
  /** As the document spells it. */
  readonly name: string;
  /** `bearer` also for oauth2 and openIdConnect, whose tokens are sent so. `mutual-tls` sends nothing in a request. */
  readonly kind: "api-key" | "basic" | "bearer" | "other-http" | "mutual-tls";
  readonly location: "query" | "header" | "cookie";
  /** Name of the query parameter, header or cookie. */
  readonly parameter: string;
  /** `other-http`: the word before the credentials, as in `Digest`. */
  readonly scheme?: string;
  readonly description?: string;
}

/** What a JSON-RPC answer looks like around its result: the document's `x-envelope`. */
export interface RpcEnvelope {
  /** `both`: `result` and `error` are always present, one of them null. `one`: JSON-RPC 2.0's exactly one. */
  readonly members: "both" | "one";
}

export type Protocol = "http" | "rpc" | "graphql";

/** An API, whatever language it was described in. Holds no unresolved reference. */
export interface ApiModel<At = Placed> {
  /** kebab-case, from the package name without scope and `-api`: `index`, `ethereum-node`. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** The document, as `@generated by nodewright from …` names it. */
  readonly document: string;
  readonly declarations: readonly TypeDeclaration<At>[];
  readonly operations: readonly Operation<At>[];
  /** GraphQL operation documents; empty elsewhere. */
  readonly documents: readonly GraphqlDocument<At>[];
  readonly security: readonly SecurityScheme[];
  /** OpenAPI webhooks and callbacks; absent elsewhere. */
  readonly incoming?: readonly IncomingOperation<At>[];
  readonly servers?: readonly Server[];
  /** JSON-RPC only. */
  readonly envelope?: RpcEnvelope;
  /** JSON-RPC only: the document itself as JSON, for `rpc.discover` and help texts. */
  readonly documentText?: string;
  /** GraphQL only: the schema as SDL, with descriptions. */
  readonly schemaText?: string;
  /**
   * GraphQL only: the schema as its file has it, so that places in it are those of the file. Absent where it had to be read with
   * something put right that stands nowhere in it.
   */
  readonly schemaSource?: string;
}
