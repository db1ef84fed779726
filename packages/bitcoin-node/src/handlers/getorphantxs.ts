import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isGetorphantxsOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Returns transactions that wait for their parents. */
export const getorphantxs: BitcoinHandler<"getorphantxs", BitcoinNodeContext> = ({ verbosity }, context) =>
  forwardMethod(context, "getorphantxs", [verbosity], { isResult: isGetorphantxsOutput });
