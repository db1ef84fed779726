import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isDecodepsbtOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Decodes a partially signed transaction. */
export const decodepsbt: BitcoinHandler<"decodepsbt", BitcoinNodeContext> = ({ psbt }, context) =>
  forwardMethod(context, "decodepsbt", [psbt], { isResult: isDecodepsbtOutput, amounts: ["fee"] });
