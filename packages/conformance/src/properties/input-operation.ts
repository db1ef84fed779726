import type { CaseDraft } from "../contract/planned-case.ts";
import type { Parameter } from "../inference/list-roles.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import type { ExpectedCall, Input, Operation } from "./operation.ts";

/** An operation with the facts about its inputs from its description and earlier calls. */
export interface InputOperation extends Operation {
  /** Valid input with only the required parameters, of an accepted call where there was one. */
  readonly base: Input | undefined;
  /** Inputs that fail in examples of the description. */
  readonly failing: readonly Input[];
  /** Certainty that an undeclared parameter is refused; absent where it may be accepted. */
  readonly surplus?: "documented" | "likely";
  /** Whether responses distinguish objects that do not exist from invalid input. */
  readonly hasOwnAbsence: boolean;
  /** Whether calls that are made together are one request. */
  readonly isBatched: boolean;
  /** Whether a parameter identifies an object: other values of its type may identify none. */
  isNaming(parameter: Parameter): boolean;
  /** Returns the type that invalid values are derived from, with the limits of the protocol. */
  strictTypeOf(parameter: Parameter): SuiteType;
  /** Returns the certainty that a value is refused, however it is serialized and parsed; undefined where a correct server may accept it. */
  invalidity(parameter: Parameter, value: unknown): "documented" | "likely" | undefined;
  /** Returns the request of an input, equal for equal requests; undefined where it cannot be written. */
  requestOf(input: Input): string | undefined;
  /** Whether a call with the input was already made. */
  wasSent(input: Input): boolean;
}

/** A case about inputs, before a protocol adds it to a run. */
export type InputCase = CaseDraft & Required<Pick<CaseDraft, "requests">>;

/** Returns the case of one call with an expected response. */
export function expectedCase(
  operation: InputOperation,
  call: ExpectedCall,
  parts: Pick<InputCase, "group" | "name" | "expected"> & Partial<InputCase>,
): InputCase {
  const { rule } = call.expectation;
  const play: InputCase["play"] = async (on) =>
    (await operation.expect(on, [call])).flatMap(({ findings }) => findings);
  return { rule, requests: 1, play, ...parts };
}
