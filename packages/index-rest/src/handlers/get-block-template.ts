import type { IndexHandler } from "@nodewright/index-api/server";
import { isBlockTemplate } from "@nodewright/index-api/validators";
import { HttpFailure, ServiceError } from "@nodewright/runtime";
import { callNode, throwUnreadableResponse } from "../transactions/broadcast.ts";
import type { IndexRestContext } from "../request/context.ts";

const method = "getblocktemplate";

export const getBlockTemplate: IndexHandler<"getBlockTemplate", IndexRestContext> = async (
  _input,
  { upstream, offersBlockTemplates },
) => {
  if (offersBlockTemplates !== true) {
    throw new ServiceError("method_disabled", "mining REST endpoints are disabled");
  }
  const result = await callNode(upstream, method, [{ rules: ["segwit"] }], badGateway);
  return isBlockTemplate(result)
    ? { headers: { cacheControl: "no-store" }, body: result }
    : throwUnreadableResponse(method);
};

/** Returns the node's error unchanged as 502, because the client did not cause it. */
function badGateway(_method: string, code: number, message: string): HttpFailure {
  return new HttpFailure(502, { body: { error: { code, message } } });
}
