import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns the bytes received and sent. */
export const getnettotals: BitcoinHandler<"getnettotals", BitcoinNodeContext> = (_input, { upstream, now }) => {
  const totals = upstream?.totals();
  return {
    totalbytesrecv: totals?.bytesReceived ?? 0,
    totalbytessent: totals?.bytesSent ?? 0,
    timemillis: now(),
  };
};
