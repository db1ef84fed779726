import type { StatusPattern } from "@nodewright/runtime";
import type { SuiteParameter } from "../suite/suite.ts";
import type { SuiteType } from "../suite/suite-type.ts";

/** An answer of an operation, as a source of values for the inputs of others. */
export interface SeenAnswer {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly type: SuiteType;
  readonly value: unknown;
  /** Of GraphQL: the document that was asked. */
  readonly text?: string;
  /** Of the answer, in lower case. Absent: none are known. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of HTTP: the address that was requested, without a key, and the status of the response. */
  readonly url?: string;
  readonly statusCode?: number;
  /** `status` of the documented failure that the response is: only declared links are followed from it. Absent: it is a success. */
  readonly failure?: StatusPattern;
}

/**
 * Values found in answers, for inputs that they fit: by the links of the description, and where it has none by the names and types of
 * members and parameters (`txid` of an answer is the `txid` of `GET /tx/{txid}`; a member named `id` of what `listPets` answers is the
 * `petId` of `GET /pets/{petId}`).
 */
export interface LiveValues {
  /** Takes values out of a response that was as documented. */
  see(answer: SeenAnswer): void;
  /** Whole inputs of an operation made of values that belong together (of one object), best first, each different; at most `most`. */
  inputsOf(operation: string, most: number): readonly Readonly<Record<string, unknown>>[];
  /** Values for one parameter, best first. */
  valuesOf(operation: string, parameter: Pick<SuiteParameter, "property">): readonly unknown[];
  /** Inputs that an operation answered well, in the order in which it was seen: what other cases are made from. */
  goodInputsOf(operation: string): readonly Readonly<Record<string, unknown>>[];
  /** The answers that were well of one operation. */
  answersOf(operation: string): readonly SeenAnswer[];
}
