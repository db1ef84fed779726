import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { documentsStatus, isSuccessStatus } from "./http-answer.ts";
import { type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { anyFindings, detailOf, skipUnjudged } from "./http-expect.ts";

/** Statuses that say that an input is wrong. */
const refusals = [400, 422] as const;

/** Statuses that say nothing of the input. */
const besideTheInput: ReadonlySet<number> = new Set([408, 413, 414, 429, 431]);

/** Statuses that say something else than that an input is wrong, though they are documented. */
const notOfInput: ReadonlySet<number> = new Set([401, 403, 404, 405, 409, 429]);

/** Whether a status tells of the caller or the traffic, not of what was asked for. */
export function isBesideTheInput(context: HttpContext, operation: SuiteHttpOperation, status: number): boolean {
  if (besideTheInput.has(status)) return true;
  if (status !== 401 && status !== 403) return false;
  if (documentsStatus(operation, status)) return true;
  // Who was let in once is let in.
  return Object.keys(context.suite.security).length > 0 && wellObserved(context, operation.name).length === 0;
}

interface Refusal {
  readonly rule: Rule;
  /** What was sent, without values: the beginning of a sentence. */
  readonly what: string;
  readonly isInPath: boolean;
  readonly place: string | undefined;
  /** The value with what the document requires, for the detail of an input that was accepted. */
  readonly accepted?: string | undefined;
}

/** The response to what the description excludes: any documented 4xx is right that says so, else any failure of the caller's. */
export function refusalFindings(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  { rule, what, isInPath, place, accepted }: Refusal,
): readonly Finding[] {
  skipUnjudged(context, play, observation);
  const { operation, judged } = observation;
  const { status } = judged.answer;
  const where = withPlace(place ?? operation.place);
  if (isSuccessStatus(status)) {
    const { detail } = detailOf(observation);
    return [
      {
        rule,
        message: `${what} is accepted`,
        detail: accepted === undefined ? detail : `${accepted}; ${detail}`,
        ...where,
      },
    ];
  }
  if (status >= 500 || status < 400) return anyFindings(context, play, observation);
  const isNotThere = isInPath && (status === 404 || status === 410);
  const isFitting = documentsClass(operation) || (documentsStatus(operation, status) && !notOfInput.has(status));
  if (!documentsRefusal(operation) || isFitting || isNotThere || isBesideTheInput(context, operation, status))
    return judged.findings;
  const message = `${what} is answered with status ${status} instead of ${documentedRefusals(operation).join(" or ")}`;
  return [{ rule, message, ...detailOf(observation), ...where }];
}

function documentedRefusals(operation: SuiteHttpOperation): readonly number[] {
  return refusals.filter((status) => operation.failures.some((failure) => failure.status === status));
}

function documentsClass(operation: SuiteHttpOperation): boolean {
  return operation.failures.some(({ status }) => status === "4XX");
}

/** Whether the description has a failure for wrong inputs. */
export function documentsRefusal(operation: SuiteHttpOperation): boolean {
  return documentedRefusals(operation).length > 0 || documentsClass(operation);
}
