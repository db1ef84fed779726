import type { IndexHandler } from "@nodewright/index-api/server";
import { answerBlockTransactions } from "../block-transactions.ts";
import type { IndexRestContext } from "../context.ts";

export const getBlockTransactions: IndexHandler<"getBlockTransactions", IndexRestContext> = ({ hash }, { index }) =>
  answerBlockTransactions(index, hash, 0);
