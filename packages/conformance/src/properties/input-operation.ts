import type { CaseDraft } from "../contract/planned-case.ts";
import type { Parameter } from "../inference/list-roles.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import type { ExpectedCall, Input, Operation } from "./operation.ts";

/** An operation with what its description and earlier calls say of its inputs. */
export interface InputOperation extends Operation {
  /** A valid input with what is required alone, of a call that was accepted where there was one. */
  readonly base: Input | undefined;
  /** Inputs that the description shows to fail. */
  readonly failing: readonly Input[];
  /** How sure it is that a parameter is refused that the description does not have; absent where it need not be. */
  readonly surplus?: "documented" | "likely";
  /** Whether responses distinguish what does not exist from what is invalid. */
  readonly hasOwnAbsence: boolean;
  /** Whether calls that are made together are one request. */
  readonly isBatched: boolean;
  /** Whether a parameter says which thing is meant: other values of its type may be of nothing. */
  isNaming(parameter: Parameter): boolean;
  /** The type that invalid values are derived from: it has the limits of the protocol as well. */
  strictTypeOf(parameter: Parameter): SuiteType;
  /** How sure it is that a value is refused, however it is written and read; undefined where a correct server may accept it. */
  invalidity(parameter: Parameter, value: unknown): "documented" | "likely" | undefined;
  /** The request of an input, the same for those that are the same; undefined where there is none. */
  requestOf(input: Input): string | undefined;
  /** Whether a call with the input was made already. */
  wasSent(input: Input): boolean;
}

/** A case about inputs, before a protocol puts it into a run. */
export type InputCase = CaseDraft & Required<Pick<CaseDraft, "requests">>;

/** The case of one call, of which has to come what is expected. */
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
