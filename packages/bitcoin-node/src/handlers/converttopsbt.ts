import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isConverttopsbtOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Creates a partially signed transaction from a serialized one. */
export const converttopsbt: BitcoinHandler<"converttopsbt", BitcoinNodeContext> = (
  { hexstring, permitsigdata, iswitness, psbtVersion },
  context,
) =>
  forwardMethod(context, "converttopsbt", [hexstring, permitsigdata, iswitness, psbtVersion], {
    isResult: isConverttopsbtOutput,
  });
