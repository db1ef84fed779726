import type { JsonValue, Parameter, Placed, TypeDeclaration, TypeNode, ValueExample } from "./type-node.ts";

/**
 * Form of a body.
 *
 * `form`: `application/x-www-form-urlencoded`. `multipart`: parts by name, files among them. `event-stream`: server-sent events.
 * `json-lines`: one JSON value a line (`application/x-ndjson`, `application/jsonl`, `application/json-seq`).
 */
export type ContentForm = "json" | "text" | "binary" | "form" | "multipart" | "event-stream" | "json-lines";

/** Encoding of one property of a form or multipart body (OpenAPI's Encoding Object). */
export interface PropertyEncoding<At = Placed> {
  /** Media type of the part; for forms, of the value if it is not plain text. */
  readonly contentType?: string;
  readonly style?: Parameter<At>["style"];
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly headers?: readonly ResponseHeader<At>[];
}

/** A body with its media type and form. */
export interface Content<At = Placed> {
  /** For example `application/json`. */
  readonly mediaType: string;
  readonly form: ContentForm;
  /** Type of the complete body; of one item for `event-stream` (its data) and `json-lines`. */
  readonly type: TypeNode<At>;
  /** `form` and `multipart`: encoding by name of the property, if the document overrides the defaults. */
  readonly encoding?: Readonly<Record<string, PropertyEncoding<At>>>;
  /** Example values in the document, whether or not they are part of a case. */
  readonly examples?: readonly ValueExample<At>[];
}

/** Body of a request, with an entry for each media type. */
export type RequestBody<At = Placed> = At & {
  readonly required: boolean;
  readonly contents: readonly Content<At>[];
};

/** A header of a response. */
export type ResponseHeader<At = Placed> = Partial<At> & {
  /** Name on the wire, for example `Cache-Control`. */
  readonly name: string;
  /** camelCase, for example `cacheControl`. */
  readonly property: string;
  readonly required: boolean;
  readonly type: TypeNode<At>;
};

/** A status, all of one class, or every status that is not listed. */
export type StatusPattern = number | "1XX" | "2XX" | "3XX" | "4XX" | "5XX" | "default";

/** A successful response of an operation. A status that has bodies of several media types is listed once for each. */
export type Success<At = Placed> = At & {
  /** HTTP status; 200 for JSON-RPC and GraphQL. */
  readonly status: StatusPattern;
  /** Absent when there is no body. */
  readonly content?: Content<At>;
  /** The same body in other media types, which servers may respond with and clients have no reason to request: `text/json`. */
  readonly equivalents?: readonly Content<At>[];
  readonly headers: readonly ResponseHeader<At>[];
  readonly description: string;
};

/** A failure of an operation, as its document declares it. */
export type Failure<At = Placed> = At & {
  /** PascalCase, unique within the operation: `NotFound`, `BlockNotFound`. */
  readonly name: string;
  /** HTTP status; absent for JSON-RPC errors. */
  readonly status?: StatusPattern;
  /** JSON-RPC error code; absent for HTTP. */
  readonly rpcCode?: number;
  readonly message: string;
  /** JSON-RPC: example of the `data` of the error. */
  readonly data?: JsonValue;
  readonly contents: readonly Content<At>[];
  readonly headers: readonly ResponseHeader<At>[];
};

/** Inputs by `Parameter.property`; the body, if any, under `body`. */
export type ExampleInput = Readonly<Record<string, JsonValue>>;

/** One documented request with its documented response: a conformance case. */
export type Example<At = Placed> = At & {
  /** kebab-case, unique within the operation. */
  readonly name: string;
  readonly summary?: string;
  /** Wire values, bytes in base64. GraphQL: variables by name. */
  readonly input: ExampleInput;
  /** JSON-RPC: the parameters by position, if they cannot be given by name because there are too many. */
  readonly params?: readonly JsonValue[];
  readonly outcome:
    | {
        readonly kind: "success";
        readonly status: number;
        readonly value: JsonValue;
        readonly headers?: Readonly<Record<string, JsonValue>>;
      }
    /** `message` is the message of the failure if the example specifies it. */
    | {
        readonly kind: "failure";
        readonly status?: number;
        readonly rpcCode?: number;
        readonly message?: string;
        readonly graphqlCode?: string;
      };
  /** Whether the response changes as the chain grows: it is checked against its type only, not by value (`x-live`). */
  readonly isLive?: boolean;
  /**
   * Whether the requested item may be missing: the response matches its type, or is a failure that the operation declares (`x-may-fail`).
   */
  readonly mayFail?: boolean;
};

/** OpenAPI and OpenRPC links: a value of this response is an input of another operation. */
export type Link<At = Placed> = At & {
  readonly name: string;
  /** `Operation.name` of the target. */
  readonly operation: string;
  /** Input property of the target → runtime expression over this operation's response. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** Status of the failure response that has the link. Absent: the link belongs to the successes. */
  readonly status?: StatusPattern;
  readonly description?: string;
};

/** The extensions (`x-…`) of our documents, defined here once and validated by the readers. */
export interface Extensions {
  /** `x-disabled-by-default`: whether it is disabled for a subscription until it is enabled explicitly. */
  readonly disabledByDefault: boolean;
  /** `x-node-control`: whether it acts on the node itself; never forwarded from a shared node. */
  readonly nodeControl: boolean;
  /** `x-safe`: whether a conformance run may send it to a production node. Absent: derived from method and name. */
  readonly safe?: boolean;
  /** `x-units`: weight in usage; 1 when absent. */
  readonly units: number;
  /** `x-served-by`: the component that serves the operation. */
  readonly servedBy?: "index" | "node";
  /** `x-immutable`: whether the same input always has the same response, once it has one, except for volatile members. */
  readonly immutable?: boolean;
}

/** A relation between a response and other responses: an element of `x-relations`. */
export type Relation<At = Placed> = At & {
  /** kebab-case, unique in its operation. */
  readonly name: string;
  /**
   * A JSONata expression over the response that is true where the relation holds, and nothing where that can't be determined. `$input` is
   * the request's input; `$call(operation, input)` the response of another operation.
   */
  readonly holds: string;
  /** Reason why it must hold, in one sentence. */
  readonly because?: string;
};

/** The methods that a document can describe by name: those of RFC 9110, section 9.3, with PATCH of RFC 5789 and QUERY of OpenAPI 3.2. */
export const httpMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"] as const;

/** Method and path of an HTTP operation. */
export interface HttpBinding {
  readonly kind: "http";
  readonly method: (typeof httpMethods)[number];
  /** Path with `{name}` path parameters, as in the document. */
  readonly path: string;
}

/** JSON-RPC method of an operation, and how its parameters are sent. */
export interface RpcBinding {
  readonly kind: "rpc";
  /** Name on the wire. */
  readonly method: string;
  /** Absent: not specified in the document, which means `either` (OpenRPC). */
  readonly parameterStructure?: "by-position" | "by-name" | "either";
}

/** Root field of a GraphQL operation. */
export interface GraphqlBinding {
  readonly kind: "graphql";
  readonly root: "query" | "mutation" | "subscription";
  readonly field: string;
}

/** An operation that clients can call: an HTTP operation, an RPC method, a field of a GraphQL root type. */
export type Operation<At = Placed> = At & {
  /** camelCase, a valid identifier, unique in the model. */
  readonly name: string;
  /** Name for people: `GET /tx/{txid}`, `getblock`, `Query.block`. */
  readonly origin: string;
  readonly binding: HttpBinding | RpcBinding | GraphqlBinding;
  readonly tags: readonly string[];
  /** Parameters in document order; positional for JSON-RPC. */
  readonly parameters: readonly Parameter<At>[];
  readonly body?: RequestBody<At>;
  /** At least one success; the first is the one that clients expect. */
  readonly successes: readonly [Success<At>, ...Success<At>[]];
  readonly failures: readonly Failure<At>[];
  readonly examples: readonly Example<At>[];
  readonly links: readonly Link<At>[];
  /** Absent if the document declares none. */
  readonly relations?: readonly Relation<At>[];
  readonly extensions: Extensions;
  /** Alternatives, any of which grants access; `[]` in it allows anonymous access. Absent if the document specifies none. */
  readonly security?: readonly SecurityRequirement[];
};

/** Schemes that are needed together. */
export type SecurityRequirement = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

/** A request that the API makes and that its clients serve. Its binding's path is `/<name>`. */
export type IncomingOperation<At = Placed> = Operation<At> & {
  readonly trigger:
    | { readonly kind: "webhook"; readonly name: string }
    /** `expression`: runtime expression of the URL; `operation`: `Operation.name` of the request that registers the callback. */
    | { readonly kind: "callback"; readonly name: string; readonly expression: string; readonly operation: string };
};

/** A server of an API. */
export interface Server {
  /** URL with `{name}` variables; may be relative to the location of the document. */
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

/** Paging of an operation over a range of integers. A path consists of the names of nested members: `["filter", "fromBlock"]`. */
export interface PageDeclaration {
  /** Path of the variable with the first integer of the range. */
  readonly from: readonly string[];
  /** Path of the variable with the last integer of the range, which is included. */
  readonly to: readonly string[];
  /** Path in the response of the list that is split into pages. */
  readonly items: readonly string[];
  /** Default number of integers in a page; at least 1. */
  readonly length: number;
  /** End of an open range: `GraphqlDocument.name` of a query without required variables, and a path in its response. */
  readonly end?: { readonly document: string; readonly path: readonly string[] };
}

/** A named GraphQL operation next to the schema, for clients and the suite. */
export type GraphqlDocument<At = Placed> = At & {
  /** camelCase, unique. */
  readonly name: string;
  readonly root: "query" | "mutation" | "subscription";
  /** The operation with the fragments it uses, normalised. */
  readonly text: string;
  readonly variables: readonly Parameter<At>[];
  /** Type of `data`. */
  readonly result: TypeNode<At>;
  /** Names of the root fields that it selects. */
  readonly rootFields: readonly string[];
  readonly pages?: PageDeclaration;
  readonly examples: readonly Example<At>[];
  /** Absent if none are declared next to the document. */
  readonly relations?: readonly Relation<At>[];
};

/** An authentication method for clients. */
export interface SecurityScheme {
  /** Name as the document spells it. */
  readonly name: string;
  /** `bearer` also for oauth2 and openIdConnect, whose tokens are sent in the same way. `mutual-tls` adds nothing to a request. */
  readonly kind: "api-key" | "basic" | "bearer" | "other-http" | "mutual-tls";
  readonly location: "query" | "header" | "cookie";
  /** Name of the query parameter, header or cookie. */
  readonly parameter: string;
  /** `other-http`: the scheme name before the credentials, such as `Digest`. */
  readonly scheme?: string;
  readonly description?: string;
}

/** The members of a JSON-RPC response around its result: the document's `x-envelope`. */
export interface RpcEnvelope {
  /** `both`: `result` and `error` are always present, one of them null. `one`: exactly one, as in JSON-RPC 2.0. */
  readonly members: "both" | "one";
}

/** Protocol of an API: REST over HTTP (OpenAPI), JSON-RPC 2.0 (OpenRPC) or GraphQL. */
export type Protocol = "http" | "rpc" | "graphql";

/** An API, whatever language it was described in. Contains no unresolved reference. */
export interface ApiModel<At = Placed> {
  /** kebab-case, from the package name without scope and `-api`: `index`, `ethereum-node`. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Name of the document, as in `@generated by nodewright from …`. */
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
   * GraphQL only: the schema as in its file, so that locations in it are those of the file. Absent if it was read with a correction that
   * the file does not contain.
   */
  readonly schemaSource?: string;
}
