import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { getBytesAndHeaders } from "../transactions/transaction-response.ts";

export const getTransactionRaw: IndexHandler<"getTransactionRaw", IndexRestContext> = async ({ txid }, context) => {
  const { bytes, headers } = await getBytesAndHeaders(context, txid);
  return { headers, body: bytes };
};
