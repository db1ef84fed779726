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
  MarkFacts,
  ParameterFacts,
  SecurityRequirementFacts,
  SecuritySchemeFacts,
} from "@nodewright/runtime";
import type { Place, SuiteType, SuiteTypes } from "./suite-type.ts";

/** One input of an operation. */
export interface SuiteParameter extends ParameterFacts, DescribedFacts {
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

/** `name` is in lower case. */
export type SuiteHeader = Omit<ResponseHeader, "property">;

/** A way in which an operation succeeds. A status that has bodies of several media types stands once for each. */
export interface SuiteSuccess extends Pick<Success, "status" | "place"> {
  /** Absent when there is no body; for a JSON-RPC notification. */
  readonly content?: SuiteContent;
  readonly headers: readonly SuiteHeader[];
}

/** A way in which an operation fails, as the description declares it. */
export interface SuiteFailure
  extends Pick<Failure, "name" | "status" | "rpcCode" | "data" | "place">,
    Partial<Pick<Failure, "message">> {
  readonly contents: readonly SuiteContent[];
  readonly headers: readonly SuiteHeader[];
}

export type { Example as SuiteExample, Link as SuiteLink, Relation as SuiteRelation } from "@nodewright/api-model";

/** What a documented example says comes back. */
export type SuiteOutcome = Example["outcome"];

interface OperationBase extends Pick<Operation, "name" | "origin" | "tags" | "examples" | "links" | "place"> {
  readonly parameters: readonly SuiteParameter[];
  /** At least one. */
  readonly successes: readonly SuiteSuccess[];
  readonly failures: readonly SuiteFailure[];
  readonly relations: readonly Relation[];
  readonly marks: MarkFacts;
  /** True: one input always has the same answer, once it has one, but for volatile members (`x-immutable`). Absent: not said. */
  readonly isImmutable?: boolean;
  /** True: the description says that the result is chosen by chance. */
  readonly isByChance?: boolean;
  /** The order that the description states of the list that is returned. */
  readonly order?: DescribedOrder;
}

export interface SuiteHttpOperation extends OperationBase, Omit<HttpBinding, "kind"> {
  readonly body?: Pick<RequestBody, "required" | "place"> & { readonly contents: readonly SuiteContent[] };
  /** Alternatives, any of which lets a caller in; an empty one lets everybody in. Absent: the description does not say. */
  readonly security?: readonly SecurityRequirementFacts[];
}

export interface SuiteRpcMethod extends OperationBase, Omit<RpcBinding, "kind"> {
  readonly isNotification?: boolean;
}

/** A named GraphQL operation with its examples. */
export interface SuiteGraphqlDocument extends Pick<GraphqlDocument, "name" | "root" | "text" | "examples" | "place"> {
  readonly relations: readonly Relation[];
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
  /** What stands around a result. */
  readonly envelope: RpcEnvelope["members"];
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
