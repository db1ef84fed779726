import type {
  DescribedFacts,
  DescribedOrder,
  Example,
  Failure,
  GraphqlDocument,
  HttpBinding,
  Operation,
  Relation,
  RequestBody,
  ResponseHeader,
  RpcBinding,
  RpcEnvelope,
  Success,
} from "@nodewright/api-model";
import type {
  ContentFacts,
  ExtensionFacts,
  ParameterFacts,
  SecurityRequirementFacts,
  SecuritySchemeFacts,
} from "@nodewright/runtime";
import type { Place, SuiteType, SuiteTypes } from "./suite-type.ts";

/** An input of an operation. */
export interface SuiteParameter extends ParameterFacts, DescribedFacts {
  readonly type: SuiteType;
  /** Examples of the description, in addition to those of `type`. */
  readonly examples?: readonly unknown[];
  /** Whether the description states that a bound is inclusive: true for "at or after" and "at most", false for "exclusive". */
  readonly includesBound?: boolean;
  readonly place?: Place;
}

/** A body with its type; for a sequence (events, JSON lines), the type of each item. */
export interface SuiteContent extends ContentFacts {
  readonly type: SuiteType;
  readonly examples?: readonly unknown[];
}

/** A header, with `name` in lower case. */
export type SuiteHeader = Omit<ResponseHeader, "property">;

/** A success of an operation. A status with bodies of several media types occurs once for each. */
export interface SuiteSuccess extends Pick<Success, "status" | "place"> {
  /** Absent when there is no body, and for a JSON-RPC notification. */
  readonly content?: SuiteContent;
  readonly headers: readonly SuiteHeader[];
}

/** A failure of an operation, as the description declares it. */
export interface SuiteFailure
  extends Pick<Failure, "name" | "status" | "rpcCode" | "data" | "place">,
    Partial<Pick<Failure, "message">> {
  readonly contents: readonly SuiteContent[];
  readonly headers: readonly SuiteHeader[];
}

export type { Example as SuiteExample, Link as SuiteLink, Relation as SuiteRelation } from "@nodewright/api-model";

/** Outcome of a documented example. */
export type SuiteOutcome = Example["outcome"];

interface OperationBase extends Pick<Operation, "name" | "origin" | "tags" | "examples" | "links" | "place"> {
  readonly parameters: readonly SuiteParameter[];
  /** Successes, at least one. */
  readonly successes: readonly SuiteSuccess[];
  readonly failures: readonly SuiteFailure[];
  readonly relations: readonly Relation[];
  readonly extensions: ExtensionFacts;
  /** Whether one input always has the same result, once it has one, except for volatile members (`x-immutable`). Absent: not stated. */
  readonly isImmutable?: boolean;
  /** Whether the description states that the result is random. */
  readonly isByChance?: boolean;
  /** Order of the returned list, as the description states it. */
  readonly order?: DescribedOrder;
}

/** An HTTP operation of a suite. */
export interface SuiteHttpOperation extends OperationBase, Omit<HttpBinding, "kind"> {
  readonly body?: Pick<RequestBody, "required" | "place"> & { readonly contents: readonly SuiteContent[] };
  /** Alternative security requirements, any of which grants access; an empty one grants it to everybody. Absent: not described. */
  readonly security?: readonly SecurityRequirementFacts[];
}

/** A JSON-RPC method of a suite. */
export interface SuiteRpcMethod extends OperationBase, Omit<RpcBinding, "kind"> {
  readonly isNotification?: boolean;
}

/** A named GraphQL operation with its examples. */
export interface SuiteGraphqlDocument extends Pick<GraphqlDocument, "name" | "root" | "text" | "examples" | "place"> {
  readonly relations: readonly Relation[];
}

interface SuiteBase {
  /** Version of the format; a runner rejects others. */
  readonly format: 2;
  /** Name of the API in kebab-case: `index`. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** Path of the description that the suite was created from. */
  readonly source: string;
  /** Security schemes by name. */
  readonly security: Readonly<Record<string, SecuritySchemeFacts>>;
  readonly types: SuiteTypes;
}

/** Conformance suite of an OpenAPI document. */
export interface HttpSuite extends SuiteBase {
  readonly protocol: "http";
  readonly operations: readonly SuiteHttpOperation[];
}

/** Conformance suite of an OpenRPC document. */
export interface RpcSuite extends SuiteBase {
  readonly protocol: "rpc";
  /** Envelope of a result. */
  readonly envelope: RpcEnvelope["members"];
  readonly operations: readonly SuiteRpcMethod[];
}

/** Conformance suite of a GraphQL schema. */
export interface GraphqlSuite extends SuiteBase {
  readonly protocol: "graphql";
  /** SDL with descriptions, as in `source`: places refer to that file. */
  readonly schema: string;
  /** Custom scalar → its JSON type; scalars that are absent are unknown. */
  readonly scalars: Readonly<Record<string, SuiteType>>;
  readonly documents: readonly SuiteGraphqlDocument[];
}

/** A description in the form that the runner needs, as data only: the export of a package's generated `./conformance`. */
export type ConformanceSuite = HttpSuite | RpcSuite | GraphqlSuite;
