import type { IndexHandler } from "@nodewright/index-api/server";
import { createBlockTransactionsResponse } from "../blocks/block-transactions.ts";
import type { IndexRestContext } from "../request/context.ts";

export const getBlockTransactions: IndexHandler<"getBlockTransactions", IndexRestContext> = ({ hash }, { index }) =>
  createBlockTransactionsResponse(index, hash, 0);
