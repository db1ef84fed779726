import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isGetaddrmaninfoOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Returns how many addresses of nodes the node knows. */
export const getaddrmaninfo: BitcoinHandler<"getaddrmaninfo", BitcoinNodeContext> = (_input, context) =>
  forwardMethod(context, "getaddrmaninfo", [], { isResult: isGetaddrmaninfoOutput });
