import type { IndexHandler } from "@nodewright/index-api/server";
import { createBlockTransactionsResponse } from "../blocks/block-transactions.ts";
import type { IndexRestContext } from "../request/context.ts";
import { lenientPosition } from "../request/lenient-number.ts";

export const getBlockTransactionsFromIndex: IndexHandler<"getBlockTransactionsFromIndex", IndexRestContext> = (
  { hash, startIndex },
  { index },
) => createBlockTransactionsResponse(index, hash, lenientPosition(startIndex));
