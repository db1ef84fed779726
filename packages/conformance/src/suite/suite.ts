import type {
  ContentFacts,
  MarkFacts,
  ParameterFacts,
  RpcCall,
  SecurityRequirementFacts,
  SecuritySchemeFacts,
  StatusPattern,
} from "@nodewright/runtime";
import type { Place, SuiteType, SuiteTypes } from "./suite-type.ts";

/** One input of an operation. */
export interface SuiteParameter extends ParameterFacts {
  readonly type: SuiteType;
  /** Values that the description shows for it, beside those of `type`. */
  readonly examples?: readonly unknown[];
  /** Whether the description says of a bound that what is at it is within: true for "at or after" and "at most", false for "exclusive". */
  readonly includesBound?: boolean;
  readonly place?: Place;
}

/** A body and what it may be: of one that is a sequence (events, JSON lines), of each item. */
export interface SuiteContent extends ContentFacts {
  readonly type: SuiteType;
  readonly examples?: readonly unknown[];
}

export interface SuiteHeader {
  /** Lower case. */
  readonly name: string;
  readonly required: boolean;
  readonly type: SuiteType;
  readonly place?: Place;
}

/** A way in which an operation succeeds. A status that has bodies of several media types stands once for each. */
export interface SuiteSuccess {
  /** 200 for JSON-RPC. */
  readonly status: StatusPattern;
  /** Absent when there is no body; for a JSON-RPC notification. */
  readonly content?: SuiteContent;
  readonly headers: readonly SuiteHeader[];
  readonly place?: Place;
}

/** A way in which an operation fails, as the description declares it. */
export interface SuiteFailure {
  /** PascalCase, unique in the operation: `NotFound`. */
  readonly name: string;
  readonly status?: StatusPattern;
  readonly rpcCode?: number;
  readonly message?: string;
  /** JSON-RPC: what the description shows as the `data` of the error. */
  readonly data?: unknown;
  readonly contents: readonly SuiteContent[];
  readonly headers: readonly SuiteHeader[];
  readonly place?: Place;
}

/** What a documented example says comes back. */
export type SuiteOutcome =
  | {
      readonly kind: "success";
      readonly status: number;
      readonly value: unknown;
      readonly headers?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: "failure";
      readonly status?: number;
      readonly rpcCode?: number;
      readonly graphqlCode?: string;
      readonly message?: string;
    };

/** A documented request with its documented answer. */
export interface SuiteExample {
  /** kebab-case, unique in the operation. */
  readonly name: string;
  /**
   * Wire values by property of the input, the body under `body`, bytes in base64. GraphQL: variables by name.
   */
  readonly input: Readonly<Record<string, unknown>>;
  /** JSON-RPC: parameters as they are sent, where `input` can't say them. */
  readonly params?: readonly unknown[];
  readonly outcome: SuiteOutcome;
  /** True: the answer changes as the chain grows (`x-live`). */
  readonly isLive?: boolean;
  /** True: what it asks for need not be there (`x-may-fail`). */
  readonly mayFail?: boolean;
  readonly place?: Place;
}

/** A value of this operation's answer is an input of another one. */
export interface SuiteLink {
  readonly name: string;
  /** `name` of the other operation. */
  readonly operation: string;
  /** Property of its input → a constant, or an OpenAPI runtime expression over this request and answer. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** `status` of the documented failure that has the link. Absent: the link is of the successes. */
  readonly status?: StatusPattern;
  readonly place?: Place;
}

/** Something that holds between an answer and other answers (`x-relations`). */
export interface SuiteRelation {
  /** kebab-case, unique in the operation. */
  readonly name: string;
  /**
   * A JSONata expression over the answer that is true where the relation holds, and nothing where it can't be told. `$input` is the
   * request's input; `$call(operation, input)` the answer of another operation.
   */
  readonly holds: string;
  /** Why it has to hold, in one sentence. */
  readonly because?: string;
  readonly place?: Place;
}

interface OperationBase {
  /** camelCase, unique: part of the names of cases. */
  readonly name: string;
  /** As a person names it: `GET /tx/{txid}`, `getblock`. */
  readonly origin: string;
  readonly tags: readonly string[];
  readonly parameters: readonly SuiteParameter[];
  /** At least one. */
  readonly successes: readonly SuiteSuccess[];
  readonly failures: readonly SuiteFailure[];
  readonly examples: readonly SuiteExample[];
  readonly links: readonly SuiteLink[];
  readonly relations: readonly SuiteRelation[];
  readonly marks: MarkFacts;
  /** True: one input always has the same answer, once it has one, but for volatile members (`x-immutable`). Absent: not said. */
  readonly isImmutable?: boolean;
  readonly place?: Place;
}

export interface SuiteHttpOperation extends OperationBase {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "TRACE" | "QUERY";
  /** With `{name}` holes. */
  readonly path: string;
  readonly body?: { readonly required: boolean; readonly contents: readonly SuiteContent[]; readonly place?: Place };
  /** Alternatives, any of which lets a caller in; an empty one lets everybody in. Absent: the description does not say. */
  readonly security?: readonly SecurityRequirementFacts[];
}

export interface SuiteRpcMethod extends OperationBase {
  /** As on the wire. */
  readonly method: string;
  /** Absent: `either`. */
  readonly parameterStructure?: RpcCall["parameterStructure"];
  readonly isNotification?: boolean;
}

/** A named GraphQL operation with its examples. */
export interface SuiteGraphqlDocument {
  readonly name: string;
  readonly root: "query" | "mutation" | "subscription";
  /** The operation with the fragments that it uses. */
  readonly text: string;
  readonly examples: readonly SuiteExample[];
  readonly relations: readonly SuiteRelation[];
  readonly place?: Place;
}

interface SuiteBase {
  /** Of the format; a runner refuses others. */
  readonly format: 2;
  /** Of the API, kebab-case: `index`. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** Path of the description that the suite was made from. */
  readonly source: string;
  /** By name. */
  readonly security: Readonly<Record<string, SecuritySchemeFacts>>;
  readonly types: SuiteTypes;
}

export interface HttpSuite extends SuiteBase {
  readonly protocol: "http";
  readonly operations: readonly SuiteHttpOperation[];
}

export interface RpcSuite extends SuiteBase {
  readonly protocol: "rpc";
  /** What stands around a result: `both` of `result` and `error`, one of them null, or `one` of them. */
  readonly envelope: "both" | "one";
  readonly operations: readonly SuiteRpcMethod[];
}

export interface GraphqlSuite extends SuiteBase {
  readonly protocol: "graphql";
  /** SDL with descriptions, as `source` has it: places in it are those of the file. */
  readonly schema: string;
  /** Custom scalar → what it is in JSON; of scalars that are not named nothing is known. */
  readonly scalars: Readonly<Record<string, SuiteType>>;
  readonly documents: readonly SuiteGraphqlDocument[];
}

/** A description as the runner needs it, all of it data: what the generated `./conformance` of a package exports. */
export type ConformanceSuite = HttpSuite | RpcSuite | GraphqlSuite;
