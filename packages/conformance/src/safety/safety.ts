import type { ConformanceSuite, SuiteGraphqlDocument, SuiteHttpOperation, SuiteRpcMethod } from "../suite/suite.ts";
import { matchesAny } from "../basics/name-pattern.ts";
import { operationNames } from "../suite/described-operations.ts";
import type { RunOptions } from "../contract/options.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import { classifyMethodName } from "./method-name.ts";

/** Whether an operation is sent, and why. */
export interface SafetyDecision {
  /** Whether it only reads, and is therefore sent. */
  readonly isSafe: boolean;
  /** One clause: `GET only reads`, `the name holds the word "send"`. */
  readonly reason: string;
  /** Whether the run's options declare it unsafe, so that it is not sent even where writes are allowed. */
  readonly isDeclaredUnsafe?: boolean;
}

/** Returns why an operation is not sent; `undefined` when it is. */
export function refusalOfOperation(
  { isSafe, isDeclaredUnsafe, reason }: SafetyDecision,
  allowWrites: boolean | undefined,
): string | undefined {
  if (isDeclaredUnsafe === true) return reason;
  return isSafe || allowWrites === true ? undefined : reason;
}

/** Returns why a case is not sent: its operation is not, or it may write itself. Returns `undefined` when it is. */
export function refusalOfCase(
  { operation, writes }: Pick<PlannedCase, "operation" | "writes">,
  safety: Safety,
  allowWrites: boolean | undefined,
): string | undefined {
  const refusal = refusalOfOperation(safety.of(operation), allowWrites);
  return refusal ?? (writes && allowWrites !== true ? "it may change something" : undefined);
}

/** Safety of a suite's operations. */
export interface Safety {
  /** Returns the judgement of an operation by `name`; names outside of the suite belong to the protocol and are safe. */
  of(operation: string): SafetyDecision;
}

type Operation = SuiteHttpOperation | SuiteRpcMethod | SuiteGraphqlDocument;

const ofTheProtocol: SafetyDecision = { isSafe: true, reason: "it belongs to the protocol" };

/**
 * Decides for every operation whether it may write. The options take precedence over the description's `x-safe`, which takes precedence
 * over names and methods; where `unsafe` and `safe` both match, `unsafe` applies.
 */
export function createSafety(suite: ConformanceSuite, options: Pick<RunOptions, "safe" | "unsafe">): Safety {
  const operations: readonly Operation[] = suite.protocol === "graphql" ? suite.documents : suite.operations;
  const namesOf = operationNames(suite);
  const evaluations = new Map(operations.map((one) => [one.name, evaluate(one, namesOf(one.name), options)]));
  return { of: (operation) => evaluations.get(operation) ?? ofTheProtocol };
}

function evaluate(
  operation: Operation,
  names: readonly string[],
  { safe, unsafe }: Pick<RunOptions, "safe" | "unsafe">,
): SafetyDecision {
  if (matchesAny(unsafe, names)) return { isSafe: false, reason: "it is declared unsafe", isDeclaredUnsafe: true };
  if (matchesAny(safe, names)) return { isSafe: true, reason: "it is declared safe" };
  if ("root" in operation) return classifyRoot(operation);
  const { safe: mark, nodeControl } = operation.extensions;
  if (mark === false) return { isSafe: false, reason: "the description marks it x-safe: false" };
  if (mark === true) return { isSafe: true, reason: "the description marks it x-safe" };
  if (nodeControl) return { isSafe: false, reason: "the description marks it as controlling the node" };
  return "path" in operation ? classifyHttpMethod(operation) : classifyMethodName(operation.method);
}

function classifyRoot({ root }: SuiteGraphqlDocument): SafetyDecision {
  return root === "query"
    ? { isSafe: true, reason: "a query only reads" }
    : { isSafe: false, reason: `a ${root} is not a query` };
}

/** Classifies an HTTP method (RFC 9110, section 9.2.1). TRACE is safe there too, but returns what proxies add, so it is not sent. */
function classifyHttpMethod({ method }: SuiteHttpOperation): SafetyDecision {
  return method === "GET" || method === "HEAD" || method === "OPTIONS"
    ? { isSafe: true, reason: `${method} only reads` }
    : { isSafe: false, reason: `${method} may change something` };
}
