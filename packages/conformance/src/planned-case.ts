import { curlCommand } from "./curl.ts";
import { type Answer, type Exchange, type Sender, troubleText } from "./exchange.ts";
import type { CaseReport, ReportGroup, Verdict } from "./report.ts";

/** A case that is ready to be played. */
export interface PlannedCase {
  readonly operation: string;
  readonly group: ReportGroup;
  readonly name: string;
  /** What has to come back, in words. */
  readonly expected: string;
  /** True: the case is named in the report and not sent. */
  readonly isWithheld?: boolean;
  send(): Promise<Exchange>;
  check(answer: Answer): Judgement;
}

/** What is wrong with an answer, one sentence each; or a word for why it can't be judged. */
export type Judgement = readonly string[] | "missing" | "disabled";

/** Plays a case. Whatever the server does, this does not throw. */
export async function playCase(planned: PlannedCase, sender: Sender): Promise<CaseReport> {
  if (planned.isWithheld === true) return { ...namesOf(planned), verdict: "withheld", problems: [] };
  const exchange = await planned.send();
  const judgement = judge(planned, exchange);
  const problems = typeof judgement === "string" ? [] : judgement.map((problem) => sender.withoutKey(problem));
  const verdict = verdictOf(exchange, judgement);
  const report: CaseReport = {
    ...namesOf(planned),
    verdict,
    problems,
  };
  if (verdict === "passed") return report;
  const recorded = sender.record(exchange);
  return { ...report, expected: planned.expected, exchange: recorded, curl: curlCommand(recorded) };
}

function namesOf({ operation, group, name }: PlannedCase): Pick<CaseReport, "id" | "operation" | "group" | "name"> {
  return { id: `${operation}/${group}/${name}`, operation, group, name };
}

function judge(planned: PlannedCase, exchange: Exchange): Judgement {
  const judgement = judgeAnswer(planned, exchange);
  if (!exchange.echoesKey) return judgement;
  return [...(typeof judgement === "string" ? [] : judgement), "the answer repeats the key"];
}

function judgeAnswer(planned: PlannedCase, exchange: Exchange): Judgement {
  if (exchange.answer === undefined) return [troubleText(exchange)];
  try {
    return planned.check(exchange.answer);
  } catch (reason) {
    // A validator or decoder of the suite that throws is a defect worth seeing, not the end of the run.
    return [`the answer could not be checked: ${reason instanceof Error ? reason.message : String(reason)}`];
  }
}

function verdictOf(exchange: Exchange, judgement: Judgement): Verdict {
  if (exchange.isThrottled) return "untested";
  if (typeof judgement === "string") return judgement;
  return judgement.length === 0 ? "passed" : "failed";
}
