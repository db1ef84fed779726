import type { IndexHandler } from "@nodewright/index-api/server";
import { isBlockTemplate } from "@nodewright/index-api/validators";
import { ServiceError } from "@nodewright/runtime";
import { callNode, unusableAnswer } from "../broadcast.ts";
import type { IndexRestContext } from "../context.ts";

export const getBlockTemplate: IndexHandler<"getBlockTemplate", IndexRestContext> = async (
  _input,
  { upstream, offersBlockTemplates },
) => {
  if (offersBlockTemplates !== true) {
    throw new ServiceError("method_disabled", "mining REST endpoints are disabled");
  }
  const result = await callNode(upstream, "getblocktemplate", [{ rules: ["segwit"] }]);
  return isBlockTemplate(result)
    ? { headers: { cacheControl: "no-store" }, body: result }
    : unusableAnswer("getblocktemplate");
};
