import { getHeapSpaceStatistics } from "node:v8";
import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Maximum length of a word that is echoed completely. */
const echoedLength = 100;

/** Returns how much memory the serving process uses. */
export const getmemoryinfo: BitcoinHandler<"getmemoryinfo", BitcoinNodeContext> = ({ mode = "stats" }) => {
  if (mode === "mallocinfo") throw rpcError("invalidParameter", "mallocinfo mode not available");
  if (mode !== "stats") throw rpcError("invalidParameter", `unknown mode ${mode.slice(0, echoedLength)}`);
  const { heapUsed: used, heapTotal: total } = process.memoryUsage();
  const spaces = getHeapSpaceStatistics();
  const spacesInUse = spaces.filter(({ space_used_size: size }) => size > 0).length;
  return {
    locked: {
      used,
      free: Math.max(0, total - used),
      total,
      locked: 0,
      chunks_used: spacesInUse,
      chunks_free: spaces.length - spacesInUse,
    },
  };
};
