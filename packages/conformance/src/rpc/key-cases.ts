import { wrongKeys } from "../wire/wrong-keys.ts";
import type { Finding } from "../contract/finding.ts";
import { isRecord } from "../types/is-record.ts";
import type { Answer } from "../contract/exchange.ts";
import type { PlainCall, ProtocolDraft } from "./protocol-case.ts";
import type { RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { readBody } from "./rpc-reply.ts";
import { requestText, rpcPost } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Ways of not having the key, where the run has one. */
export function keyDrafts(context: RpcContext, call: PlainCall): readonly ProtocolDraft[] {
  const { apiKey } = context.session.options;
  if (apiKey === undefined) return [];
  const request = rpcPost(requestText({ method: call.method.method, params: call.params, id: "key" }));
  return wrongKeys(apiKey).map(({ name, key }) => ({
    name,
    group: "key",
    operation: call.method.name,
    rule: rpcRules.key,
    expected: "status 401 with WWW-Authenticate, and no result",
    preview: request,
    play: async (play) => {
      const answer = await play.send(request, { key });
      if (key === "none") context.state.isKeyAsked = !isLetIn(answer);
      return isLetIn(answer) ? letInFindings(context, name) : refusalFindings(answer);
    },
  }));
}

/** A document that says nothing of keys may be of a target that lets everybody in; one that asks for a key has to look at it. */
function letInFindings({ suite, state }: RpcContext, name: string): readonly Finding[] {
  const isAsked = Object.keys(suite.security).length > 0 || (name !== "no-key" && state.isKeyAsked);
  const rule = isAsked ? rpcRules.key : rpcRules.keyHoped;
  return [finding(rule, `a call with ${name.replaceAll("-", " ")} has a result`)];
}

function refusalFindings({ status, headers }: Answer): readonly Finding[] {
  if (status !== 401 && status !== 403) {
    return [
      finding(rpcRules.keyStatus, "a caller without the right key is not answered with 401", `the status is ${status}`),
    ];
  }
  if (status === 403 || headers.has("www-authenticate")) return [];
  return [finding(rpcRules.challenge, "the 401 has no WWW-Authenticate")];
}

function isLetIn(answer: Answer): boolean {
  const body = readBody(answer);
  return "value" in body && isRecord(body.value) && body.value["result"] !== undefined && body.value["result"] !== null;
}
