import { isRecord } from "@nodewright/api-model";
import { planKeyCases } from "../../properties/key.ts";
import type { PlainCall, ProtocolDraft } from "./protocol-case.ts";
import type { RpcContext } from "./rpc-context.ts";
import { readBody } from "./rpc-reply.ts";
import { requestText, rpcPost } from "./rpc-request.ts";

/** Ways of not having the key, where the run has one. */
export function keyDrafts({ session, suite }: RpcContext, { method, params }: PlainCall): readonly ProtocolDraft[] {
  const request = rpcPost(requestText({ method: method.method, params, id: "key" }));
  const cases = planKeyCases({
    apiKey: session.options.apiKey,
    isDescribed: Object.keys(suite.security).length > 0,
    hasScheme: false,
    call: async (play, key) => {
      const answer = await play.send(request, { key });
      const body = readBody(answer);
      const result = "value" in body && isRecord(body.value) ? body.value["result"] : undefined;
      return { answer, hasResult: (result ?? null) !== null, findings: [] };
    },
  });
  return cases.map((one) => ({ ...one, operation: method.name, preview: [request] }));
}
