import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isJoinpsbtsOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Joins several partially signed transactions into one. */
export const joinpsbts: BitcoinHandler<"joinpsbts", BitcoinNodeContext> = ({ txs }, context) =>
  forwardMethod(context, "joinpsbts", [txs], { isResult: isJoinpsbtsOutput });
