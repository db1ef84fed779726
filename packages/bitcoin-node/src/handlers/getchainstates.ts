import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isGetchainstatesOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Returns the chains that the node validates. */
export const getchainstates: BitcoinHandler<"getchainstates", BitcoinNodeContext> = (_input, context) =>
  forwardMethod(context, "getchainstates", [], { isResult: isGetchainstatesOutput });
