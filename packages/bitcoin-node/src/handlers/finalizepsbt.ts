import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isFinalizepsbtOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Extracts the transaction of a partially signed one. */
export const finalizepsbt: BitcoinHandler<"finalizepsbt", BitcoinNodeContext> = ({ psbt, extract }, context) =>
  forwardMethod(context, "finalizepsbt", [psbt, extract], { isResult: isFinalizepsbtOutput });
