import type { IndexHandler } from "@nodewright/index-api/server";
import { broadcastTransactionText } from "../transactions/broadcast.ts";
import type { IndexRestContext } from "../request/context.ts";

export const broadcastTransaction: IndexHandler<"broadcastTransaction", IndexRestContext> = async (
  { body = "" },
  context,
) => {
  return { headers: { cacheControl: "public, max-age=0" }, body: await broadcastTransactionText(body, context) };
};
