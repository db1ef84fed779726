import type { Rule } from "../contract/rule.ts";
import type { Lookup } from "../inference/lookups.ts";
import type { Place } from "../suite/suite-type.ts";
import type { Input, Operation, Result } from "./operation.ts";
import type { Problem } from "./property.ts";

/** All operations of a target that may be called, with what they returned so far. */
export interface Related {
  readonly operations: readonly Operation[];
  /** Operations that return one object by its identifier, but for those that returned something else. */
  readonly lookups: readonly Lookup<Operation>[];
}

/** What came of a call: without a value where it says nothing. */
export interface CrossOutcome extends Partial<Result> {
  /** True where the target has nothing under the identifier. */
  readonly isAbsent?: boolean;
}

/** Calls an operation with several inputs. */
export type CrossCall = <Inputs extends readonly Input[]>(
  operation: Operation,
  ...inputs: Inputs
) => Promise<{ readonly [Index in keyof Inputs]: CrossOutcome }>;

/** One thing that holds between calls of several operations. */
export interface CrossCheck {
  /** The operation that its case belongs to. */
  readonly operation: Operation;
  /** kebab-case, unique in property and operation. */
  readonly name: string;
  readonly expected: string;
  /** In place of the rule of the property. */
  readonly rule?: Rule;
  readonly place?: Place;
  readonly guess: string;
  /** Inputs of its own operation that are called with first. */
  readonly inputs: readonly Input[];
  /** What does not hold. It is run again before anything is reported: problems with other details each time are what moves by itself. */
  verify(call: CrossCall): Promise<readonly Problem[]>;
}

/** Something that holds between operations in all protocols. */
export interface CrossProperty {
  /** kebab-case. */
  readonly name: string;
  readonly rule: Rule;
  checks(related: Related): Iterable<CrossCheck>;
}
