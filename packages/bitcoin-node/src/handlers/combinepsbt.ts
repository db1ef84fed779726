import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isCombinepsbtOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Combines copies of a partially signed transaction. */
export const combinepsbt: BitcoinHandler<"combinepsbt", BitcoinNodeContext> = ({ txs }, context) =>
  forwardMethod(context, "combinepsbt", [txs], { isResult: isCombinepsbtOutput });
