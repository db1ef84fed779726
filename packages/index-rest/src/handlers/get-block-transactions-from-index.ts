import type { IndexHandler } from "@nodewright/index-api/server";
import { createBlockTransactionsResponse } from "../block-transactions.ts";
import type { IndexRestContext } from "../context.ts";
import { lenientPosition } from "../lenient-number.ts";

export const getBlockTransactionsFromIndex: IndexHandler<"getBlockTransactionsFromIndex", IndexRestContext> = (
  { hash, startIndex },
  { index },
) => createBlockTransactionsResponse(index, hash, lenientPosition(startIndex));
