import type { Difference } from "../compare/differences.ts";
import type { Rule } from "../contract/rule.ts";
import type { InferredFilter } from "../inference/list-filters.ts";
import type { InferredRole, ListRole, ListType, Parameter } from "../inference/list-roles.ts";
import type { Lookup } from "../inference/lookups.ts";
import type { Place } from "../suite/suite-type.ts";
import type { Input, Operation, OperationDescription, Page, Result } from "./operation.ts";

/** Known facts about an operation before a property is checked. */
export interface Knowledge {
  readonly operation: Operation;
  /** List that it returns. */
  readonly list: ListType | undefined;
  readonly roles: readonly InferredRole[];
  roleOf(role: ListRole): InferredRole | undefined;
  /** Parameters that do not control how the list is cut and ordered. */
  readonly free: readonly Parameter[];
  /** Filters of these parameters. */
  readonly filters: readonly InferredFilter[];
  /** Input that had the longest list, without parameters that select a part of it or its order. */
  readonly base: Input;
  /** Whether the value is valid for the parameter. */
  valid(parameter: Parameter, value: unknown): boolean;
  /** Returns the default of a parameter, if the description states it. */
  defaultOf(parameter: Parameter): unknown;
  /** Input with the greatest limit: as much of the list as one call returns. */
  readonly widest: Input;
  /** `base` with the greatest limit. */
  readonly whole: Input;
  /** Returns the input with a limit of `size` elements; undefined where no limit accepts it. */
  limitOf(size: number): Input | undefined;
  /**
   * Whether a page is the complete list for its input: servers may return fewer elements than a limit allows. `longer`: a longer page of
   * the same list, with the same limit.
   */
  isEnded(page: Page, longer?: Page): boolean;
  /** Whether two lists have the same elements in the same order. */
  isSameList(left: readonly unknown[], right: readonly unknown[]): boolean;
  /** Whether an element is among others. */
  isAmong(item: unknown, items: readonly unknown[]): boolean;
  /** Returns the differences of two values, except for volatile and undescribed members. */
  differencesOf(expected: unknown, actual: unknown): readonly Difference[];
}

/** Problem that a check found. */
export interface Problem {
  /** One sentence without values of the run: baselines contain it. */
  readonly message: string;
  readonly detail?: string;
  readonly pointer?: string;
  /** Identifier of the object that it is about, where a check compares several. */
  readonly object?: string;
  readonly place?: Place;
  /** Rule that replaces that of the property. */
  readonly rule?: Rule;
  /** Whether correct servers may have the problem as well: the response then remains a source of inputs of other calls. */
  readonly isUnsure?: boolean;
}

/** Calls with several inputs and returns their results; ends the check where one of them has none. */
export type Call = <Inputs extends readonly Input[]>(
  ...inputs: Inputs
) => Promise<{ readonly [Index in keyof Inputs]: Result }>;

/** A single check of a property for an operation. */
export interface Check {
  /** kebab-case, unique in property and operation: part of the case's id. */
  readonly name: string;
  readonly expected: string;
  /** Parameter that it is about, whose place its findings have; absent where it is about the operation. */
  readonly parameter?: Parameter;
  /** Rule that replaces that of the property. */
  readonly rule?: Rule;
  /** Inputs of the first calls, for `--plan`. */
  readonly inputs: readonly Input[];
  /** Maximum number of later calls with other inputs; 0 by default. */
  readonly furtherCalls?: number;
  /** Description of the heuristic and its source; absent where the description states the property. */
  readonly guess?: string;
  /** Members of list elements that the check reads, each as a path from the element. */
  readonly reads?: readonly (readonly string[])[];
  /** Whether it compares complete values: values that change between attempts are then not reported for any part. */
  readonly isWhole?: boolean;
  /** Whether it makes each of its calls, even equal ones, and is not run again: it is about the sequence of calls. */
  readonly isRepeated?: boolean;
  /** Whether it confirms problems itself: they need not occur again when it is verified again. */
  readonly isFinal?: boolean;
  /** Whether its calls may be refused: the types of single parameters do not define which combinations are valid. */
  readonly mayBeRefused?: boolean;
  /** Returns the problems. It is run again before any problem is reported, so it must depend only on the results of its calls. */
  verify(call: Call): Promise<readonly Problem[]>;
}

/** Returns the inputs of calls, and a function that compares their results. */
export function comparing<const Inputs extends readonly Input[]>(
  inputs: Inputs,
  compare: (results: { readonly [Index in keyof Inputs]: Result }) => readonly Problem[],
): Pick<Check, "inputs" | "verify"> {
  return { inputs, verify: async (call) => compare(await call<Inputs>(...inputs)) };
}

/** A property of operations in all protocols. */
export interface Property {
  /** kebab-case. */
  readonly name: string;
  readonly rule: Rule;
  /** Returns checks, the most important first: with few calls, the last ones are omitted. */
  checks(knowledge: Knowledge): Iterable<Check>;
}

/** Result of a call, with its input. */
export interface CalledResult {
  readonly input: Input;
  readonly result: Result;
}

/** A property of one response in all protocols: it makes no call, and is checked for each response. */
export interface ResponseProperty {
  readonly rule: Rule;
  inspect(operation: OperationDescription, response: CalledResult): readonly Problem[];
}

/** All operations of a target that may be called, with their results so far. */
export interface Related {
  readonly operations: readonly Operation[];
  /** Operations that return one object by its identifier, except those that returned something else. */
  readonly lookups: readonly Lookup<Operation>[];
}

/** Outcome of a call, without a value where the response has none. */
export interface CrossOutcome extends Partial<Result> {
  /** Whether the target has nothing with the identifier. */
  readonly isAbsent?: boolean;
}

/** Calls an operation with several inputs. */
export type CrossCall = <Inputs extends readonly Input[]>(
  operation: Operation,
  ...inputs: Inputs
) => Promise<{ readonly [Index in keyof Inputs]: CrossOutcome }>;

/** A single check of calls of several operations. */
export interface CrossCheck {
  /** Operation that its case belongs to. */
  readonly operation: Operation;
  /** kebab-case, unique in property and operation. */
  readonly name: string;
  readonly expected: string;
  /** Rule that replaces that of the property. */
  readonly rule?: Rule;
  readonly place?: Place;
  readonly guess: string;
  /** Inputs of the first calls of its own operation. */
  readonly inputs: readonly Input[];
  /**
   * Returns the problems. It is run again before any problem is reported: details that differ each time indicate values that change by
   * themselves.
   */
  verify(call: CrossCall): Promise<readonly Problem[]>;
}

/** A property of several operations in all protocols. */
export interface CrossProperty {
  /** kebab-case. */
  readonly name: string;
  readonly rule: Rule;
  checks(related: Related): Iterable<CrossCheck>;
}
