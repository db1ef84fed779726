import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isGetmempoolclusterOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Returns the transactions that a transaction is mined with. */
export const getmempoolcluster: BitcoinHandler<"getmempoolcluster", BitcoinNodeContext> = ({ txid }, context) =>
  forwardMethod(context, "getmempoolcluster", [txid], { isResult: isGetmempoolclusterOutput, amounts: ["chunkfee"] });
