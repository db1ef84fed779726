import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isJoinpsbtsOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Makes one partially signed transaction of several. */
export const joinpsbts: BitcoinHandler<"joinpsbts", BitcoinNodeContext> = ({ txs }, context) =>
  forwardMethod(context, "joinpsbts", [txs], { isResult: isJoinpsbtsOutput });
