import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isCombinerawtransactionOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Combines the signatures of a transaction's copies. */
export const combinerawtransaction: BitcoinHandler<"combinerawtransaction", BitcoinNodeContext> = ({ txs }, context) =>
  forwardMethod(context, "combinerawtransaction", [txs], { isResult: isCombinerawtransactionOutput });
