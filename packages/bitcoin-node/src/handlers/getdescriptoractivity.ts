import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isGetdescriptoractivityOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** Returns receipts and spends of descriptors in blocks. */
export const getdescriptoractivity: BitcoinHandler<"getdescriptoractivity", BitcoinNodeContext> = (
  { blockhashes, scanobjects, includeMempool },
  context,
) =>
  forwardMethod(context, "getdescriptoractivity", [blockhashes, scanobjects, includeMempool], {
    isResult: isGetdescriptoractivityOutput,
    amounts: ["amount"],
  });
