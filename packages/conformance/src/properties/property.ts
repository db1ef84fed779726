import type { Difference } from "../compare/differences.ts";
import type { Rule } from "../contract/rule.ts";
import type { InferredFilter } from "../inference/list-filters.ts";
import type { InferredRole, ListRole, ListType, Parameter } from "../inference/list-roles.ts";
import type { Lookup } from "../inference/lookups.ts";
import type { Place } from "../suite/suite-type.ts";
import type { Input, Operation, OperationDescription, Page, Result } from "./operation.ts";

/** What is known of an operation before a property is checked. */
export interface Knowledge {
  readonly operation: Operation;
  /** The list that it returns. */
  readonly list: ListType | undefined;
  readonly roles: readonly InferredRole[];
  roleOf(role: ListRole): InferredRole | undefined;
  /** Parameters that have no role in how the list is cut and ordered. */
  readonly free: readonly Parameter[];
  /** The ways in which these choose elements. */
  readonly filters: readonly InferredFilter[];
  /** An input that had the longest list, without parameters that pick a part of it or its order. */
  readonly base: Input;
  /** The value, if it is valid for the parameter. */
  valid(parameter: Parameter, value: unknown): boolean;
  /** The default of a parameter, where the description says it. */
  defaultOf(parameter: Parameter): unknown;
  /** The greatest limit: as much of the list as one call returns. */
  readonly widest: Input;
  /** `base` with the greatest limit. */
  readonly whole: Input;
  /** A limit of so many elements; undefined where no limit takes it. */
  limitOf(size: number): Input | undefined;
  /**
   * Whether a page is all that there is for its input: servers may return fewer elements than a limit allows. `longer`: a page of more of the
   * same list, with the same limit.
   */
  isEnded(page: Page, longer?: Page): boolean;
  /** Whether two lists have the same elements in the same order. */
  isSameList(left: readonly unknown[], right: readonly unknown[]): boolean;
  /** Whether an element is one of others. */
  isAmong(item: unknown, items: readonly unknown[]): boolean;
  /** Where two values differ, but for volatile members and for those of which the description says nothing. */
  differencesOf(expected: unknown, actual: unknown): readonly Difference[];
}

/** What a check found. */
export interface Problem {
  /** One sentence without values of the run: baselines hold it. */
  readonly message: string;
  readonly detail?: string;
  readonly pointer?: string;
  /** Identifier of the object that it is about, where a check looks at several. */
  readonly object?: string;
  readonly place?: Place;
  /** In place of the rule of the property. */
  readonly rule?: Rule;
  /** True where correct servers may have it as well: the response still is a source of other calls' inputs. */
  readonly isUnsure?: boolean;
}

/** Calls with several inputs and returns their results; ends the check where one of them has none. */
export type Call = <Inputs extends readonly Input[]>(
  ...inputs: Inputs
) => Promise<{ readonly [Index in keyof Inputs]: Result }>;

/** One thing that a property promises of an operation. */
export interface Check {
  /** kebab-case, unique in property and operation: part of the case's id. */
  readonly name: string;
  readonly expected: string;
  /** The parameter that it is about: findings have its place. Absent: of the operation. */
  readonly parameter?: Parameter;
  /** In place of the rule of the property. */
  readonly rule?: Rule;
  /** Calls that are made first, for `--plan`. */
  readonly inputs: readonly Input[];
  /** Calls with other inputs that follow, at most; 0 when not given. */
  readonly furtherCalls?: number;
  /** What was guessed, and from what; absent where the description says that the property holds. */
  readonly guess?: string;
  /** Members of list elements that it looks at, each as a path from the element. */
  readonly reads?: readonly (readonly string[])[];
  /** True: it compares whole values, so that calls whose values are others from one attempt to the next are not blamed for any part. */
  readonly isWhole?: boolean;
  /** True: it makes each of its calls, equal ones as well, and is not run again: it is about what follows each other. */
  readonly isRepeated?: boolean;
  /** True: it looks twice itself, and what it finds need not be there when it is verified again. */
  readonly isFinal?: boolean;
  /** True: its calls may be refused, as what each parameter may be says nothing of them together. */
  readonly mayBeRefused?: boolean;
  /** What does not hold. It is run again before anything is reported, so it decides by what it calls for alone. */
  verify(call: Call): Promise<readonly Problem[]>;
}

/** What is called with, and what has to hold between the results. */
export function comparing<const Inputs extends readonly Input[]>(
  inputs: Inputs,
  compare: (results: { readonly [Index in keyof Inputs]: Result }) => readonly Problem[],
): Pick<Check, "inputs" | "verify"> {
  return { inputs, verify: async (call) => compare(await call<Inputs>(...inputs)) };
}

/** Something that holds of operations in all protocols. */
export interface Property {
  /** kebab-case. */
  readonly name: string;
  readonly rule: Rule;
  /** The most telling checks first: where calls are few, the last are left out. */
  checks(knowledge: Knowledge): Iterable<Check>;
}

/** What a call returned, with what it was called with. */
export interface CalledResult {
  readonly input: Input;
  readonly result: Result;
}

/** Something that holds within one response in all protocols: it makes no call, and is looked at wherever one is made. */
export interface ResponseProperty {
  readonly rule: Rule;
  inspect(operation: OperationDescription, response: CalledResult): readonly Problem[];
}

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
