import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isAnalyzepsbtOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Returns what a partially signed transaction still needs. */
export const analyzepsbt: BitcoinHandler<"analyzepsbt", BitcoinNodeContext> = ({ psbt }, context) =>
  forwardMethod(context, "analyzepsbt", [psbt], {
    isResult: isAnalyzepsbtOutput,
    amounts: ["fee", "estimated_feerate"],
    prose: ["error"],
  });
