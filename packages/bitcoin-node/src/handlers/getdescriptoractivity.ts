import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isGetdescriptoractivityOutput } from "@nodewright/bitcoin-api/validators";
import type { BitcoinNodeContext } from "../context.ts";
import { forwardMethod } from "../forward/forward-method.ts";

/** What descriptors received and spent in blocks. */
export const getdescriptoractivity: BitcoinHandler<"getdescriptoractivity", BitcoinNodeContext> = (
  { blockhashes, scanobjects, includeMempool },
  context,
) =>
  forwardMethod(context, "getdescriptoractivity", [blockhashes, scanobjects, includeMempool], {
    isResult: isGetdescriptoractivityOutput,
    amounts: ["amount"],
  });
