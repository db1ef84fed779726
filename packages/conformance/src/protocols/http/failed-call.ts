import type { CasePlay } from "../../contract/planned-case.ts";
import type { FailedCall } from "../../properties/failed-call.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { documentsStatus, isSuccessStatus } from "./http-answer.ts";
import { ask, type HttpContext } from "./http-context.ts";
import { anyFindings, detailOf, skipUnjudged } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { isBesideTheInput } from "./refusal.ts";

/** Sends a request that has to fail. */
export async function failedCall(
  context: HttpContext,
  operation: SuiteHttpOperation,
  play: CasePlay,
  input: Input,
): Promise<FailedCall> {
  const observation = await ask(context, play, operation, input);
  skipUnjudged(context, play, observation);
  const { judged } = observation;
  const { status: code } = judged.answer;
  const findings = anyFindings(context, play, observation);
  if (isSuccessStatus(code)) return { findings, result: { value: judged.value ?? null } };
  const isUnclear = code < 400 || code >= 500 || isBesideTheInput(context, operation, code);
  const isRefusal = code === 400 || code === 422 || (documentsStatus(operation, code) && code !== 404 && code !== 410);
  const kind = isUnclear ? "unclear" : isRefusal ? "refused" : "other";
  return { findings, failure: { code, kind, text: detailOf(observation).detail } };
}
