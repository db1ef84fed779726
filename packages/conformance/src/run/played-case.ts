import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import { failsRun, type Level } from "../contract/rule.ts";
import type { CaseReport, FindingReport, Verdict } from "../contract/report.ts";
import { curlCommand } from "../client/curl-command.ts";
import type { RecordedExchange } from "../contract/exchange.ts";
import type { InterruptionCause } from "../client/interruption.ts";
import type { SecretMask } from "../client/secret-mask.ts";
import { runRules } from "./run-rules.ts";

/** A case after it was played, before it is judged. */
export interface PlayedCase {
  readonly planned: PlannedCase;
  readonly findings: readonly Finding[];
  readonly exchanges: readonly RecordedExchange[];
  readonly milliseconds: number;
  /** Why it did not come to its end. */
  readonly interruption?: InterruptionCause;
  /** What our own code threw. */
  readonly defect?: string;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly findings: readonly Finding[];
}

/** How a case is judged. */
export interface JudgingOptions {
  /** Whether its operation never answered in the time that the run gives it, which may be the run's fault. */
  readonly isSlow?: boolean | undefined;
  /** Whether broken rules of all levels but MAY fail it. */
  readonly isStrict?: boolean | undefined;
}

/** What a case says by itself; whether its operation is offered at all is another matter. */
export function judgeCase({ findings, interruption, defect }: PlayedCase, options: JudgingOptions = {}): Judgement {
  if (defect !== undefined)
    return { verdict: "untested", reason: `the case could not be played: ${defect}`, findings: [] };
  return interruption === undefined ? judgeFindings(findings, options) : judgeInterruption(interruption, options);
}

function judgeFindings(findings: readonly Finding[], { isStrict }: JudgingOptions): Judgement {
  if (findings.length === 0) return { verdict: "passed", findings };
  const failOn = isStrict === true ? "heuristic" : "MUST";
  return { verdict: findings.some(({ rule }) => failsRun(rule.level, failOn)) ? "failed" : "warned", findings };
}

function judgeInterruption(interruption: InterruptionCause, options: JudgingOptions): Judgement {
  switch (interruption.kind) {
    case "no-answer": {
      const { kind, text } = interruption.trouble;
      const rule = kind === "timeout" && options.isSlow === true ? runRules.inTime : runRules.answered;
      return judgeFindings([{ rule, message: noAnswerMessage(kind), detail: text }], options);
    }
    case "too-large":
      return judgeFindings(
        [
          {
            rule: runRules.size,
            message: "the answer is longer than the run reads",
            detail: `it was cut after ${interruption.limit} bytes`,
          },
        ],
        options,
      );
    case "busy":
    case "budget":
      return { verdict: "untested", reason: interruption.text, findings: [] };
    case "ended":
      return { verdict: "untested", reason: `the run ended before it: ${interruption.text}`, findings: [] };
    case "withheld":
      return { verdict: "not-sent", reason: interruption.text, findings: [] };
    case "skipped":
      return { verdict: "skipped", reason: interruption.text, findings: [] };
    default:
      return interruption satisfies never;
  }
}

function noAnswerMessage(kind: string): string {
  if (kind === "timeout") return "no whole answer came in time";
  return kind === "malformed" ? "what came is no HTTP answer" : "the connection ended without a whole answer";
}

/** What a report says of a case, without secrets. */
export function reportCase(
  { planned, exchanges, milliseconds }: PlayedCase,
  { verdict, reason, findings }: Judgement,
  mask: SecretMask,
  keepExchanges: boolean,
): CaseReport {
  const last = exchanges.at(-1);
  const isKept = keepExchanges || verdict !== "passed";
  return {
    id: planned.id,
    operation: planned.operation,
    group: planned.group,
    rule: planned.rule.id,
    level: levelOf(planned, findings),
    verdict,
    expected: planned.expected,
    ...(reason === undefined ? {} : { reason: mask.mask(reason) }),
    findings: findings.map((finding) => reportFinding(finding, mask)),
    exchanges: isKept ? exchanges : [],
    ...(isKept && last !== undefined ? { curl: curlCommand(last) } : {}),
    milliseconds: Math.round(milliseconds * 10) / 10,
  };
}

/** Of the worst finding, else of the rule that the case is about. */
function levelOf(planned: PlannedCase, findings: readonly Finding[]): Level {
  const levels = new Set(findings.map(({ rule }) => rule.level));
  return (["MUST", "SHOULD", "heuristic", "MAY"] as const).find((level) => levels.has(level)) ?? planned.rule.level;
}

function reportFinding(
  { rule, message, detail, pointer, place, guess = rule.source }: Finding,
  mask: SecretMask,
): FindingReport {
  return {
    rule: rule.id,
    level: rule.level,
    title: rule.title,
    message: mask.mask(message),
    ...(detail === undefined ? {} : { detail: mask.mask(detail) }),
    ...(pointer === undefined ? {} : { pointer: mask.mask(pointer) }),
    ...withPlace(place),
    ...(rule.level === "heuristic" ? { guess: mask.mask(guess) } : {}),
  };
}
