import type { IndexHandler } from "@nodewright/index-api/server";
import { broadcastTransactionText } from "../broadcast.ts";
import type { IndexRestContext } from "../context.ts";

export const broadcastTransactionByQuery: IndexHandler<"broadcastTransactionByQuery", IndexRestContext> = async (
  { tx },
  context,
) => {
  return { headers: { cacheControl: "public, max-age=0" }, body: await broadcastTransactionText(tx, context) };
};
