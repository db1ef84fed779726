import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isGetmempoolfeeratediagramOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Returns the cumulative fees and weight of the mempool. */
export const getmempoolfeeratediagram: BitcoinHandler<"getmempoolfeeratediagram", BitcoinNodeContext> = (
  _input,
  context,
) =>
  forwardMethod(context, "getmempoolfeeratediagram", [], {
    isResult: isGetmempoolfeeratediagramOutput,
    amounts: ["fee"],
  });
