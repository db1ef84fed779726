import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import { broadcastTransactionText } from "../broadcast.ts";
import type { IndexRestContext } from "../context.ts";

export const broadcastTransactionByQuery: IndexHandler<"broadcastTransactionByQuery", IndexRestContext> = async (
  { tx },
  context,
) => {
  if (tx === undefined) throw new ServiceError("invalid_input", "Missing tx");
  return { headers: { cacheControl: "public, max-age=0" }, body: await broadcastTransactionText(tx, context) };
};
