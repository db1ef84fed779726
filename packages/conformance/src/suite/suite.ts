import type { Example, HttpBinding, Link, Relation } from "@nodewright/api-model";
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

export type { Example as SuiteExample, Link as SuiteLink, Relation as SuiteRelation } from "@nodewright/api-model";

/** What a documented example says comes back. */
export type SuiteOutcome = Example["outcome"];

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
  readonly examples: readonly Example[];
  readonly links: readonly Link[];
  readonly relations: readonly Relation[];
  readonly marks: MarkFacts;
  /** True: one input always has the same answer, once it has one, but for volatile members (`x-immutable`). Absent: not said. */
  readonly isImmutable?: boolean;
  /** True: the description says that the result is chosen by chance. */
  readonly isByChance?: boolean;
  readonly place?: Place;
}

export interface SuiteHttpOperation extends OperationBase {
  readonly method: HttpBinding["method"];
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
  readonly examples: readonly Example[];
  readonly relations: readonly Relation[];
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
