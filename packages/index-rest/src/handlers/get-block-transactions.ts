import type { IndexHandler } from "@nodewright/index-api/server";
import { respondWithBlockTransactions } from "../block-transactions.ts";
import type { IndexRestContext } from "../context.ts";

export const getBlockTransactions: IndexHandler<"getBlockTransactions", IndexRestContext> = ({ hash }, { index }) =>
  respondWithBlockTransactions(index, hash, 0);
