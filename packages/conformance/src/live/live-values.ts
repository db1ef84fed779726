import type { StatusPattern } from "@nodewright/runtime";
import type { SuiteParameter } from "../suite/suite.ts";
import type { SuiteType } from "../suite/suite-type.ts";

/** A response of an operation, as a source of values for the inputs of others. */
export interface ObservedResult {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly type: SuiteType;
  readonly value: unknown;
  /** Document that was sent; for GraphQL. */
  readonly text?: string;
  /** Headers of the response, with names in lower case; absent where they are unknown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** URL of the request, without a key, and status of the response; for HTTP. */
  readonly url?: string;
  readonly statusCode?: number;
  /** `status` of the documented failure that the response is: only declared links are followed from it. Absent for a success. */
  readonly failure?: StatusPattern;
}

/**
 * Values from responses for matching inputs: by the links of the description, and where it has none by the names and types of members and
 * parameters (`txid` of a response is the `txid` of `GET /tx/{txid}`; a member named `id` in the result of `listPets` is the `petId` of
 * `GET /pets/{petId}`).
 */
export interface LiveValues {
  /** Collects values from a response that conforms to the description. */
  see(response: ObservedResult): void;
  /** Returns at most `most` different complete inputs of an operation, from values that belong together (of one object), best first. */
  inputsOf(operation: string, most: number): readonly Readonly<Record<string, unknown>>[];
  /** Returns values for one parameter, best first. */
  valuesOf(operation: string, parameter: Pick<SuiteParameter, "property">): readonly unknown[];
  /** Returns inputs of successful calls of an operation, in the order of the calls, from which other cases are derived. */
  goodInputsOf(operation: string): readonly Readonly<Record<string, unknown>>[];
  /** Returns the successful responses of one operation. */
  resultsOf(operation: string): readonly ObservedResult[];
}
