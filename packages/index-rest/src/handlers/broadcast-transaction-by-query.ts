import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import { broadcastTransactionText } from "../transactions/broadcast.ts";
import type { IndexRestContext } from "../request/context.ts";

export const broadcastTransactionByQuery: IndexHandler<"broadcastTransactionByQuery", IndexRestContext> = async (
  { tx },
  context,
) => {
  if (tx === undefined) throw new ServiceError("invalid_input", "Missing tx");
  return { headers: { cacheControl: "public, max-age=0" }, body: await broadcastTransactionText(tx, context) };
};
