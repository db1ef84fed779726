import type { ConformanceSuite, SuiteGraphqlDocument, SuiteHttpOperation, SuiteRpcMethod } from "../suite/suite.ts";
import { matchesAny } from "../basics/name-pattern.ts";
import type { RunOptions } from "../contract/options.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import { judgeMethodName } from "./method-name.ts";

/** Whether an operation is sent, and why. */
export interface SafetyJudgement {
  /** True: it only reads, so it is sent. */
  readonly isSafe: boolean;
  /** One clause: `GET only reads`, `the name holds the word "send"`. */
  readonly reason: string;
  /** True: whoever started the run said that it is unsafe, so it is not sent where writes are allowed either. */
  readonly isHeld?: boolean;
}

/** Why an operation is not sent; undefined when it is. */
export function refusalOfOperation(
  { isSafe, isHeld, reason }: SafetyJudgement,
  allowWrites: boolean | undefined,
): string | undefined {
  if (isHeld === true) return reason;
  return isSafe || allowWrites === true ? undefined : reason;
}

/** Why a case is not sent: its operation is not, or it may change something itself. Undefined when it is. */
export function refusalOfCase(
  { operation, writes }: Pick<PlannedCase, "operation" | "writes">,
  safety: Safety,
  allowWrites: boolean | undefined,
): string | undefined {
  const refusal = refusalOfOperation(safety.of(operation), allowWrites);
  return refusal ?? (writes && allowWrites !== true ? "it may change something" : undefined);
}

/** Which operations of a suite only read. */
export interface Safety {
  /** By `name`; what the suite does not know is of the protocol, and safe. */
  of(operation: string): SafetyJudgement;
}

type Operation = SuiteHttpOperation | SuiteRpcMethod | SuiteGraphqlDocument;

const ofTheProtocol: SafetyJudgement = { isSafe: true, reason: "it belongs to the protocol" };

/**
 * Decides for every operation whether it may change something. The options count before the description's `x-safe`, which counts
 * before names and methods; where `unsafe` and `safe` both match, `unsafe` counts.
 */
export function createSafety(suite: ConformanceSuite, options: Pick<RunOptions, "safe" | "unsafe">): Safety {
  const operations: readonly Operation[] = suite.protocol === "graphql" ? suite.documents : suite.operations;
  const judgements = new Map(operations.map((one) => [one.name, judge(one, options)]));
  return { of: (operation) => judgements.get(operation) ?? ofTheProtocol };
}

function judge(operation: Operation, { safe, unsafe }: Pick<RunOptions, "safe" | "unsafe">): SafetyJudgement {
  const names = namesOf(operation);
  if (matchesAny(unsafe, names)) return { isSafe: false, reason: "it is said to be unsafe", isHeld: true };
  if (matchesAny(safe, names)) return { isSafe: true, reason: "it is said to be safe" };
  if ("root" in operation) return judgeRoot(operation);
  const { safe: mark, nodeControl } = operation.marks;
  if (mark === false) return { isSafe: false, reason: "the description marks it x-safe: false" };
  if (mark === true) return { isSafe: true, reason: "the description marks it x-safe" };
  if (nodeControl) return { isSafe: false, reason: "the description marks it as controlling the node" };
  return "path" in operation ? judgeHttpMethod(operation) : judgeMethodName(operation.method);
}

function namesOf(operation: Operation): readonly string[] {
  if ("root" in operation) return [operation.name];
  const { name, origin, tags } = operation;
  return "path" in operation ? [name, origin, ...tags] : [name, origin, operation.method, ...tags];
}

function judgeRoot({ root }: SuiteGraphqlDocument): SafetyJudgement {
  return root === "query"
    ? { isSafe: true, reason: "a query only reads" }
    : { isSafe: false, reason: `a ${root} is no query` };
}

/** RFC 9110, section 9.2.1. TRACE is safe there too, but shows what proxies add, so it is not among what is sent. */
function judgeHttpMethod({ method }: SuiteHttpOperation): SafetyJudgement {
  return method === "GET" || method === "HEAD" || method === "OPTIONS"
    ? { isSafe: true, reason: `${method} only reads` }
    : { isSafe: false, reason: `${method} may change something` };
}
