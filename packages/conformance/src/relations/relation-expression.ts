import { isRecord } from "@nodewright/api-model";
import jsonata from "jsonata";
import type { SuiteRelation } from "../suite/suite.ts";
import { relationFunctions } from "./relation-functions.ts";

/** Result of `$call`: a value with bytes in hexadecimal. */
export type RelationCall = (operation: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

export interface RelationScope {
  readonly response: unknown;
  readonly input: Readonly<Record<string, unknown>>;
  readonly call: RelationCall;
  /** Calls another interface: `$other`. */
  readonly other?: RelationCall;
}

/** `unclear`: the result of the expression for these values is not a boolean. */
export type RelationOutcome =
  | { readonly kind: "holds" | "broken" }
  | { readonly kind: "unclear" /** One clause. */; readonly reason: string };

export interface RelationExpression {
  /** Names of operations in string literals of the expression. */
  readonly called: readonly string[];
  /** Evaluates the expression. Throws only what `call` throws. */
  evaluate(scope: RelationScope): Promise<RelationOutcome>;
}

/** An invalid expression: a mistake of the description. */
export interface RelationMistake {
  /** One clause. */
  readonly problem: string;
}

/** Timeout of an expression, including the responses that it waits for; the relation is then unclear. */
const maximumMilliseconds = 60_000;
const deepestNesting = 400;
/** Maximum number of elements of one sequence that an expression creates. */
const maximumSequenceLength = 1_000_000;
/** Maximum number of calls of one evaluation. */
const maximumCalls = 24;

/**
 * Parses the expression of a relation. Numbers beyond 2^53 - 1 are exact and never rounded: they can be compared, and `$sumOf` and `$near`
 * accept them, but JSONata's own arithmetic rejects them, which leaves the relation unclear.
 */
export function readRelation({ holds }: Pick<SuiteRelation, "holds">): RelationExpression | RelationMistake {
  try {
    compile(holds);
  } catch (reason) {
    return { problem: `it is not a JSONata expression: ${messageOf(reason)}` };
  }
  const called = [...holds.matchAll(/\$call\(\s*(["'])(.*?)\1/g)].flatMap(([, , operation]) => operation ?? []);
  return { called: [...new Set(called)], evaluate: (scope) => evaluate(holds, scope) };
}

function compile(text: string): jsonata.Expression {
  return jsonata(text, { timeout: maximumMilliseconds, stack: deepestNesting, sequence: maximumSequenceLength });
}

async function evaluate(text: string, { response, input, call, other }: RelationScope): Promise<RelationOutcome> {
  // Expressions have state: each evaluation compiles its own.
  const expression = compile(text);
  let calls = 0;
  let thrown: { readonly reason: unknown } | undefined;
  for (const [name, implementation] of Object.entries(relationFunctions)) {
    expression.registerFunction(name, (...values: readonly unknown[]) => implementation(...values));
  }
  const register = (name: string, callOperation: RelationCall): void => {
    expression.registerFunction(name, async (operation: unknown, given: unknown = {}) => {
      calls += 1;
      if (calls > maximumCalls) throw new RangeError(`it makes more than ${maximumCalls} calls`);
      if (typeof operation !== "string" || !isRecord(given)) throw new TypeError(`$${name} takes a name and an object`);
      try {
        return await callOperation(operation, given);
      } catch (reason) {
        thrown = { reason };
        throw reason;
      }
    });
  };
  register("call", call);
  if (other !== undefined) register("other", other);
  try {
    return outcomeOf(await expression.evaluate(response, { input }));
  } catch (reason) {
    if (thrown !== undefined) throw thrown.reason;
    return { kind: "unclear", reason: `its expression fails: ${messageOf(reason)}` };
  }
}

/** Returns the outcome of a result; for a list, all elements have to be true. */
function outcomeOf(result: unknown): RelationOutcome {
  const results: readonly unknown[] = Array.isArray(result) ? result : [result];
  if (results.includes(false)) return { kind: "broken" };
  const isTrue = results.length > 0 && results.every((one) => one === true);
  return isTrue ? { kind: "holds" } : { kind: "unclear", reason: "its expression does not use the response" };
}

/** Returns the message of a thrown value: JSONata throws objects that are not errors. */
function messageOf(reason: unknown): string {
  const message = isRecord(reason) ? reason["message"] : undefined;
  return typeof message === "string" ? message : String(reason);
}
