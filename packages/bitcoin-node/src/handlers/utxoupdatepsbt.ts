import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isUtxoupdatepsbtOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Adds the node's data to a partially signed transaction. */
export const utxoupdatepsbt: BitcoinHandler<"utxoupdatepsbt", BitcoinNodeContext> = ({ psbt, descriptors }, context) =>
  forwardMethod(context, "utxoupdatepsbt", [psbt, descriptors], { isResult: isUtxoupdatepsbtOutput });
