import type { Answer, PlainRequest } from "../../contract/exchange.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import type { CaseDraft, CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { judgeAnswer } from "./http-answer.ts";
import { caseOf, type HttpContext, type Observation } from "./http-context.ts";

/** A request that was answered well, sent again in another way. */
export interface Variant extends Pick<CaseDraft, "name" | "rule" | "expected" | "requests" | "isLive"> {
  readonly group?: CaseDraft["group"];
  readonly request: PlainRequest;
  /** Returns what is wrong with the response. */
  check(observation: Observation, play: CasePlay): readonly Finding[] | Promise<readonly Finding[]>;
}

/** Makes the case of a variant. */
export function variantOf(context: HttpContext, from: Observation, { request, check, ...one }: Variant): PlannedCase {
  const { operation } = from;
  return caseOf(context, operation, {
    group: "protocol",
    ...one,
    play: async (play) => {
      const judged = judgeAnswer(operation, await play.send(request), context.types, request.method);
      return await check({ ...from, request, judged }, play);
    },
  });
}

export function withHeaders({ request }: Observation, headers: PlainRequest["headers"]): PlainRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

export function faultOf({ operation }: Observation, rule: Rule, message: string, detail?: string): Finding {
  return finding(rule, message, detail, operation);
}

/** Returns whether two responses have the same body. */
export function hasSameContent(left: Answer, right: Answer): boolean {
  return left.isCut === right.isCut && Buffer.compare(left.bytes, right.bytes) === 0;
}
