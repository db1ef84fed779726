import type { ReceivedResponse, PlainRequest } from "../../contract/exchange.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import type { CaseDraft, CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { classifyResponse } from "./classify-response.ts";
import type { HttpContext, Observation } from "./http-context.ts";
import { skipInconclusive } from "./http-expect.ts";

/** A request with a valid response, sent again in another way. */
export interface Variant extends Pick<CaseDraft, "name" | "rule" | "expected" | "requests" | "isLive"> {
  readonly group?: CaseDraft["group"];
  readonly request: PlainRequest;
  /** Returns the findings of the response. */
  check(observation: Observation, play: CasePlay): readonly Finding[] | Promise<readonly Finding[]>;
}

/** Returns the case of a variant. */
export function variantOf(
  context: HttpContext,
  { operation, input }: Pick<Observation, "operation" | "input">,
  { request, check, ...one }: Variant,
): CaseDraft {
  return {
    group: "protocol",
    ...one,
    play: async (play) => {
      const checked = classifyResponse(operation, await play.send(request), context.types, request.method);
      const observation = { operation, input, request, checked };
      skipInconclusive(context, play, observation);
      return await check(observation, play);
    },
  };
}

export function withHeaders({ request }: Observation, headers: PlainRequest["headers"]): PlainRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

export function faultOf({ operation }: Observation, rule: Rule, message: string, detail?: string): Finding {
  return finding(rule, message, detail, operation);
}

/** Returns whether two responses have the same body. */
export function hasSameContent(left: ReceivedResponse, right: ReceivedResponse): boolean {
  return left.isCut === right.isCut && Buffer.compare(left.bytes, right.bytes) === 0;
}
