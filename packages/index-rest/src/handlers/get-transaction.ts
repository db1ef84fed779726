import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { getTransactionAndHeaders } from "../transactions/transaction-response.ts";
import { renderTransaction } from "../render/transaction.ts";

export const getTransaction: IndexHandler<"getTransaction", IndexRestContext> = async ({ txid }, context) => {
  const { found, headers } = await getTransactionAndHeaders(context, txid);
  return { headers, body: renderTransaction(found, context.index.network) };
};
