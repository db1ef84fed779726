import { toHex } from "@nodewright/bitcoin-primitives";
import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { getBytesAndHeaders } from "../transactions/transaction-response.ts";

export const getTransactionHex: IndexHandler<"getTransactionHex", IndexRestContext> = async ({ txid }, context) => {
  const { bytes, headers } = await getBytesAndHeaders(context, txid);
  return { headers, body: toHex(bytes) };
};
