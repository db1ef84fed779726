import { isEqualJson } from "@nodewright/api-model";
import { type Finding, finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { type Difference, differences } from "../../compare/differences.ts";
import { showValue } from "../../compare/show-value.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import type { Place, SuiteType } from "../../suite/suite-type.ts";
import { answerTypeOf } from "../../suite/answer-type.ts";
import { ask } from "./rpc-call.ts";
import { memoryKey, type RpcContext } from "./rpc-context.ts";
import type { Input, ParamsStyle } from "./rpc-params.ts";
import type { RpcFault, RpcOutcome } from "./rpc-reply.ts";

/** A call that has to be answered as another one. */
export interface SameCall {
  readonly method: SuiteRpcMethod;
  readonly input: Input;
  readonly style?: ParamsStyle;
}

/** What it means when two calls differ. */
export interface SameRule {
  readonly rule: Rule;
  /** "the result of the call by name": what a message begins with. */
  readonly subject: string;
  readonly place?: Place | undefined;
  /** Told when the second way has a result. */
  readonly onResult?: () => void;
  /** What an error in the second way means, or an answer that is no response; absent: that the two differ. */
  readonly onError?: (fault: RpcFault | undefined) => readonly Finding[];
}

/** Differences of one pair of results that are told. */
const namedDifferences = 3;

/**
 * Asks for something in two ways that mean the same, and tells where the results differ. They are blamed only when the first way is
 * answered the same before and after the second one: otherwise it is the world that changes. Sends three requests at most.
 */
export async function sameAnswerFindings(
  context: RpcContext,
  play: CasePlay,
  first: SameCall,
  second: SameCall,
  rule: SameRule,
): Promise<readonly Finding[]> {
  const before = context.memory.get(memoryKey(first.method, first.input)) ?? (await outcomeOf(context, play, first));
  const other = await ask(context, play, second.method, second.input, second.style);
  if (other.outcome.kind === "result") rule.onResult?.();
  if (other.outcome.kind === "unreadable" && rule.onError !== undefined) return rule.onError(undefined);
  if (before.kind !== "result" || other.outcome.kind === "unreadable") return other.findings;
  if (other.outcome.kind === "error" && rule.onError !== undefined) {
    return [...other.findings, ...rule.onError(other.outcome.fault)];
  }
  const found = outcomeDifferences(context, first.method, before, other.outcome, rule);
  if (found.length === 0) return other.findings;
  const after = await outcomeOf(context, play, first);
  if (after.kind !== "result" || !isSame(context, first.method, before.value, after.value)) return other.findings;
  return [...other.findings, ...found];
}

/** What one result lacks to be the other. */
export function valueFindings(
  found: readonly Difference[],
  { rule, subject, place }: SameRule,
  most: number = namedDifferences,
): readonly Finding[] {
  const told = new Map<string, Finding>();
  for (const difference of found) {
    const text = `${subject}${difference.steady === "" ? "" : ` at ${difference.steady}`} ${difference.message}`;
    if (!told.has(text)) {
      told.set(
        text,
        finding(rule, text, difference.detail, { pointer: difference.steady, place: difference.place ?? place }),
      );
    }
    if (told.size === most) break;
  }
  return [...told.values()];
}

/** Whether two results are the same but for what is volatile. */
function isSame(context: RpcContext, method: SuiteRpcMethod, left: unknown, right: unknown): boolean {
  return isEqualJson(left, right) || differencesOf(context, answerTypeOf(method), left, right).length === 0;
}

/** Differences of two results in both directions, without what is volatile. */
export function differencesOf(
  { suite }: RpcContext,
  type: SuiteType | undefined,
  left: unknown,
  right: unknown,
): readonly Difference[] {
  return differences(type, left, right, suite.types, { namesExtra: true });
}

async function outcomeOf(context: RpcContext, play: CasePlay, { method, input, style }: SameCall): Promise<RpcOutcome> {
  return (await ask(context, play, method, input, style)).outcome;
}

function outcomeDifferences(
  context: RpcContext,
  method: SuiteRpcMethod,
  before: Extract<RpcOutcome, { kind: "result" }>,
  other: RpcOutcome,
  rule: SameRule,
): readonly Finding[] {
  if (other.kind === "error") {
    const detail = `the error is ${other.fault.code} ${showValue(other.fault.message)}`;
    return [finding(rule.rule, `${rule.subject} is an error`, detail, { place: rule.place })];
  }
  if (other.kind === "unreadable") return [];
  return valueFindings(differencesOf(context, answerTypeOf(method), before.value, other.value), rule);
}
