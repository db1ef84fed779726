import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isGetprioritisedtransactionsOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Returns transactions whose fees the node counts differently. */
export const getprioritisedtransactions: BitcoinHandler<"getprioritisedtransactions", BitcoinNodeContext> = (
  _input,
  context,
) => forwardMethod(context, "getprioritisedtransactions", [], { isResult: isGetprioritisedtransactionsOutput });
