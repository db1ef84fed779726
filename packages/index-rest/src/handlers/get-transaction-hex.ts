import { toHex } from "@nodewright/bitcoin-primitives";
import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { getTransactionAndHeaders } from "../find-transaction.ts";

export const getTransactionHex: IndexHandler<"getTransactionHex", IndexRestContext> = async ({ txid }, context) => {
  const { found, headers } = await getTransactionAndHeaders(context, txid);
  return { headers, body: toHex(found.transaction.bytes) };
};
