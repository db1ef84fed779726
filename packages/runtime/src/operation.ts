import type { Violation } from "./violation.ts";

/** How the text of a parameter becomes a wire value: `scalar` is a number or boolean where the text spells one. */
export type ScalarDecoding = "string" | "number" | "bigint" | "boolean" | "scalar";

/** How one parameter is read from and written to text. */
export type Decoding =
  | ScalarDecoding
  | { readonly list: ScalarDecoding }
  | { readonly record: Readonly<Record<string, ScalarDecoding>> };

/** OpenAPI's `style`. */
export type ParameterStyle = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** What a machine needs to know about one input of an operation. */
export interface ParameterFacts {
  /** As on the wire. */
  readonly name: string;
  /** Member of the input. */
  readonly property: string;
  readonly location: "path" | "query" | "header" | "cookie" | "argument";
  readonly required: boolean;
  /** Absent: `string` in a URL or header, any JSON value as an argument. */
  readonly decoding?: Decoding;
  /** Absent: `simple` in path and header, `form` elsewhere. */
  readonly style?: ParameterStyle;
  /** Absent: true for `form`, else false. */
  readonly explode?: boolean;
  /** Wire value of an input that was left out. */
  readonly default?: unknown;
  /** True when null is a value of it; otherwise a null argument counts as left out. */
  readonly nullable?: boolean;
  /** Text of the 400 that a wrong value gets. */
  readonly invalidMessage?: string;
}

/** Validation and conversion of the wire values that stand for a `Value` in memory. */
export interface ValueFacts<Value> {
  is(wire: unknown): boolean;
  violationsOf(wire: unknown, pointer?: string): readonly Violation[];
  /** Present where wire and memory differ. The wire value of `decode` is one that passed `is`. */
  decode?(wire: unknown): Value;
  encode?(value: Value): unknown;
}

/** The facts of an answer without a body. */
export const noValue: ValueFacts<undefined> = {
  is: (wire) => wire === undefined || wire === null,
  violationsOf: (wire, pointer = "") =>
    wire === undefined || wire === null ? [] : [{ pointer, keyword: "type", message: "must be absent" }],
};

export interface ContentFacts {
  readonly mediaType: string;
  readonly form: "json" | "text" | "binary";
  /** Of a text: what its characters spell. Absent: itself. */
  readonly decoding?: ScalarDecoding;
}

export interface HeaderFacts {
  /** Lower-case name on the wire. */
  readonly name: string;
  /** Member of the reply's `headers`. */
  readonly property: string;
  readonly required: boolean;
}

export interface SuccessFacts {
  readonly status: number;
  /** Absent when there is no body. */
  readonly content?: ContentFacts;
  readonly headers: readonly HeaderFacts[];
}

export interface FailureFacts {
  readonly name: string;
  readonly status?: number | "default";
  readonly rpcCode?: number;
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

interface OperationFacts<Input, Output> {
  readonly name: string;
  /** As a person names it: `GET /tx/{txid}`, `getblock`. */
  readonly origin: string;
  readonly tags: readonly string[];
  readonly parameters: readonly ParameterFacts[];
  readonly failures: readonly FailureFacts[];
  readonly marks: MarkFacts;
  /** True when a repeated call does no harm, so that a client may retry it. */
  readonly idempotent: boolean;
  readonly input: ValueFacts<Input>;
  readonly output: ValueFacts<Output>;
}

export interface HttpOperation<Input = unknown, Output = unknown> extends OperationFacts<Input, Output> {
  readonly kind: "http";
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "TRACE";
  /** With `{name}` holes. */
  readonly path: string;
  readonly body?: { readonly required: boolean; readonly contents: readonly ContentFacts[] };
  /** At least one; the first is the one that clients expect. */
  readonly successes: readonly [SuccessFacts, ...SuccessFacts[]];
  /** `reply`: handlers answer `{ status?, headers, body }`; `body`: the output itself. */
  readonly answers: "body" | "reply";
  readonly next?: NextPageFacts;
}

export interface RpcOperation<Input = unknown, Output = unknown> extends OperationFacts<Input, Output> {
  readonly kind: "rpc";
  /** As on the wire. */
  readonly method: string;
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

/** A GraphQL operation document that a client can send. */
export interface GraphqlDocumentFacts<Variables = unknown, Data = unknown> {
  readonly kind: "graphql-document";
  readonly name: string;
  readonly root: "query" | "mutation" | "subscription";
  readonly text: string;
  readonly input: ValueFacts<Variables>;
  readonly output: ValueFacts<Data>;
}

/** Any operation of any protocol, as hooks see it. */
export type AnyOperation = HttpOperation | RpcOperation | GraphqlOperation;

/** What answers an operation: a plain function that throws `ServiceError` for what the document calls a failure. */
export type Handler<Input, Answer, Context> = (input: Input, context: Context) => Answer | Promise<Answer>;
