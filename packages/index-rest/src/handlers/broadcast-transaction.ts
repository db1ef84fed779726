import type { IndexHandler } from "@nodewright/index-api/server";
import { broadcastTransactionText } from "../broadcast.ts";
import type { IndexRestContext } from "../context.ts";

export const broadcastTransaction: IndexHandler<"broadcastTransaction", IndexRestContext> = async (
  { body = "" },
  context,
) => {
  return { headers: { cacheControl: "public, max-age=0" }, body: await broadcastTransactionText(body, context) };
};
