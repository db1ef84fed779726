import { matchesAny } from "../basics/name-pattern.ts";
import { isArchiveText, readRpcReply } from "../capabilities/offer.ts";
import type { InterruptionCause } from "../client/interruption.ts";
import type { Finding } from "../contract/finding.ts";
import type { Verdict } from "../contract/report.ts";
import { failsRun } from "../contract/rule.ts";
import { rpcRules } from "../protocols/jsonrpc/rpc-rules.ts";
import type { PlayedCase } from "./play-case.ts";
import { runRules } from "./run-rules.ts";
import type { RunTools } from "./run-tools.ts";

export interface Evaluation {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly findings: readonly Finding[];
}

/** Options of a judgement. */
interface EvaluationOptions {
  /** Whether its operation never responded within the timeout of the run, which may be too short. */
  readonly isSlow?: boolean | undefined;
  /** Whether violations of all levels except MAY fail it. */
  readonly isStrict?: boolean | undefined;
}

/** Evaluates a case alone; whether its operation is offered at all is decided elsewhere. */
export function evaluateCase(
  { findings, interruption, defect }: PlayedCase,
  options: EvaluationOptions = {},
): Evaluation {
  if (defect !== undefined) return withoutFindings("untested", `the case could not be played: ${defect}`);
  return interruption === undefined ? evaluateFindings(findings, options) : evaluateInterruption(interruption, options);
}

/** Returns whether a live case is repeated before it is reported: failures, and findings of heuristics. */
export function isWorthAnotherLook({ verdict, findings }: Evaluation): boolean {
  return verdict === "failed" || (verdict === "warned" && findings.some(({ rule }) => rule.level === "heuristic"));
}

function evaluateFindings(findings: readonly Finding[], { isStrict }: EvaluationOptions): Evaluation {
  if (findings.length === 0) return { verdict: "passed", findings };
  const failOn = isStrict === true ? "heuristic" : "MUST";
  return { verdict: findings.some(({ rule }) => failsRun(rule.level, failOn)) ? "failed" : "warned", findings };
}

function evaluateInterruption(interruption: InterruptionCause, options: EvaluationOptions): Evaluation {
  switch (interruption.kind) {
    case "no-response": {
      const { kind, text } = interruption.trouble;
      const rule = kind === "timeout" && options.isSlow === true ? runRules.inTime : runRules.responded;
      return evaluateFindings([{ rule, message: noResponseMessage(kind), detail: text }], options);
    }
    case "too-large": {
      const detail = `it was cut after ${interruption.limit} bytes`;
      const message = "the response is longer than the limit of the run";
      return evaluateFindings([{ rule: runRules.size, message, detail }], options);
    }
    case "busy":
    case "budget":
      return withoutFindings("untested", interruption.text);
    case "ended":
      return withoutFindings("untested", `the run ended before it: ${interruption.text}`);
    case "withheld":
      return withoutFindings("not-sent", interruption.text);
    case "skipped":
      return withoutFindings("skipped", interruption.text);
    default:
      return interruption satisfies never;
  }
}

function withoutFindings(verdict: Verdict, reason: string): Evaluation {
  return { verdict, reason, findings: [] };
}

function noResponseMessage(kind: string): string {
  if (kind === "timeout") return "no complete response in time";
  return kind === "malformed" ? "the response is not HTTP" : "the connection ended before the response was complete";
}

/**
 * Creates a function that evaluates cases with all that is known about the target: failures that are not caused by it are skipped. The
 * judgement of a case may change when more is known.
 */
export function createCaseEvaluation(tools: RunTools): (played: PlayedCase) => Evaluation {
  /** Operation → the case that shows that it is missing. */
  const missingMethodOf = new Map<string, string>();
  return (played) => {
    if (tools.presence.isLost(played)) return withoutFindings("untested", "the target stopped responding");
    const isSlow = tools.latencies.latencyOf(played.planned.operation) === undefined;
    const evaluation = evaluateCase(played, { isSlow, isStrict: tools.options.strict });
    if (evaluation.verdict !== "failed" && evaluation.verdict !== "warned") return evaluation;
    const reason =
      absenceReason(tools, played, missingMethodOf) ?? archiveReason(tools, played) ?? syncReason(tools, played);
    return reason === undefined ? evaluation : withoutFindings("skipped", reason);
  };
}

/** Returns why an operation that is not offered has no verdict, except in the one case that checks its presence. */
function absenceReason(
  { suite, options, availability }: RunTools,
  { planned: { id, operation }, findings }: PlayedCase,
  missingMethodOf: Map<string, string>,
): string | undefined {
  const reason = availability.absenceOf(operation, 1);
  const isMissing = availability.facts.get(operation)?.availability === "missing";
  if (reason === undefined || !isMissing || findings.length === 0) return reason;
  if (suite.protocol === "rpc") return findings.some(({ rule }) => rule === rpcRules.isThere) ? undefined : reason;
  if (matchesAny(options.mayBeMissing, [operation])) return reason;
  const statedBy = missingMethodOf.get(operation) ?? id;
  missingMethodOf.set(operation, statedBy);
  return statedBy === id ? undefined : reason;
}

/** Returns why a request for data that the target does not retain, as without an archive, has no verdict. */
function archiveReason({ suite }: RunTools, { exchanges }: PlayedCase): string | undefined {
  if (suite.protocol !== "rpc") return undefined;
  const { error } = readRpcReply(exchanges.at(-1)?.response?.body) ?? {};
  return error !== undefined && isArchiveText(`${error.message} ${error.data}`)
    ? `the target does not store what is requested: ${error.message}`
    : undefined;
}

/** Returns why a case that depends on the head has no verdict while the target is synchronising. */
function syncReason({ detection }: RunTools, { planned, findings }: PlayedCase): string | undefined {
  return detection?.facts.isSynchronised === false && planned.isLive && findings.length > 0
    ? "the target is catching up, and this depends on its head"
    : undefined;
}
