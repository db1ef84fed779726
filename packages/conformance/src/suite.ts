import type {
  ContentFacts,
  GraphqlDocumentFacts,
  HttpOperation,
  RpcOperation,
  StatusPattern,
  Violation,
} from "@nodewright/runtime";

/** What a case is derived from. */
export type CaseGroup =
  /** A documented request with its documented answer. */
  | "example"
  /** A documented request with its documented failure. */
  | "failure"
  /** An example's request with one input left out, of the wrong type, or at a bound. */
  | "parameter";

/** What has to come back. */
export type Expectation =
  /** Success with exactly this value, of the right type. */
  | {
      readonly kind: "value";
      readonly status: number;
      readonly value: unknown;
      readonly headers?: Readonly<Record<string, unknown>>;
    }
  /** Success with any value of the right type: the answer changes as the chain grows. */
  | { readonly kind: "type"; readonly status: number }
  /** The same value as the example of this name gets. */
  | { readonly kind: "same-as"; readonly example: string }
  /** This failure; `message` where its text is fixed. */
  | {
      readonly kind: "failure";
      readonly status?: number;
      readonly rpcCode?: number;
      readonly graphqlCode?: string;
      readonly message?: string;
    }
  /** Any documented failure with which an input is refused; of `api`, one that any operation documents. */
  | { readonly kind: "refusal"; readonly message?: string; readonly of?: "api" }
  /** Success of the right type, or any documented failure: which of them depends on the chain. */
  | { readonly kind: "documented" };

/** One request with what has to come back. */
export interface ConformanceCase {
  /** kebab-case, unique in the operation. */
  readonly name: string;
  readonly group: CaseGroup;
  /**
   * Wire values by property of the input, the body under `body`, bytes in base64; of a body that is a sequence, a list of its
   * items. GraphQL: variables by name.
   */
  readonly input: Readonly<Record<string, unknown>>;
  /** JSON-RPC: `params` as they are sent, where `input` does not say them. */
  readonly params?: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}

/** Whether a wire value is of a type: the generated validators of that type. */
export interface TypeCheck {
  is(wire: unknown): boolean;
  violationsOf(wire: unknown): readonly Violation[];
}

/** A header of a success, and which values it may have. */
export interface HeaderCheck {
  /** Lower case. */
  readonly name: string;
  readonly required: boolean;
  /** Absent: any text. */
  readonly values?: readonly string[];
  /** ECMA-262, to be found in the text with the `u` flag. */
  readonly pattern?: string;
}

/** A declared failure with the bodies that it may have. */
export interface FailureCheck {
  readonly name: string;
  readonly status?: StatusPattern;
  readonly rpcCode?: number;
  readonly contents: readonly (ContentFacts & { readonly value?: TypeCheck })[];
}

interface OperationSuiteBase {
  readonly cases: readonly ConformanceCase[];
  /** Documented failures that no case provokes. */
  readonly unprovoked: readonly string[];
  /** True when the operation changes something: then only its documented examples and failures are played. */
  readonly writes: boolean;
}

export interface HttpOperationSuite extends OperationSuiteBase {
  readonly operation: HttpOperation;
  /** By status of the success. */
  readonly headers: readonly { readonly status: StatusPattern; readonly checks: readonly HeaderCheck[] }[];
  readonly failures: readonly FailureCheck[];
}

export interface RpcOperationSuite extends OperationSuiteBase {
  readonly operation: RpcOperation;
}

export interface GraphqlDocumentSuite extends OperationSuiteBase {
  readonly document: GraphqlDocumentFacts;
  /** Root fields that the document selects. */
  readonly rootFields: readonly string[];
}

/** How a key is sent, as the document declares it. */
export interface KeyPlacement {
  readonly location: "query" | "header" | "cookie";
  readonly parameter: string;
}

interface SuiteBase {
  /** Of the API: `index`. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** The description that the suite was generated from. */
  readonly source: string;
  /** Absent where the document says nothing of keys. */
  readonly key?: KeyPlacement;
}

export interface HttpSuite extends SuiteBase {
  readonly protocol: "http";
  readonly operations: readonly HttpOperationSuite[];
}

export interface RpcSuite extends SuiteBase {
  readonly protocol: "rpc";
  /** What stands around a result: `both` of `result` and `error`, one of them null, or `one` of them. */
  readonly envelope: "both" | "one";
  readonly operations: readonly RpcOperationSuite[];
}

export interface GraphqlSuite extends SuiteBase {
  readonly protocol: "graphql";
  readonly documents: readonly GraphqlDocumentSuite[];
  /** Root fields of the schema that no operation document selects. */
  readonly uncovered: readonly string[];
}

/** All cases of an API, as data: what the generated `./conformance` of a package exports. */
export type ConformanceSuite = HttpSuite | RpcSuite | GraphqlSuite;
