import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { getTransactionAndHeaders } from "../find-transaction.ts";

export const getTransactionRaw: IndexHandler<"getTransactionRaw", IndexRestContext> = async ({ txid }, context) => {
  const { found, headers } = await getTransactionAndHeaders(context, txid);
  return { headers, body: found.transaction.bytes };
};
