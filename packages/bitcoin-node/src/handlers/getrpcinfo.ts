import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";

/** The call itself: what others call is not the caller's business, nor where the service logs. Its duration is in microseconds. */
export const getrpcinfo: BitcoinHandler<"getrpcinfo", BitcoinNodeContext> = () => ({
  active_commands: [{ method: "getrpcinfo", duration: 0 }],
  logpath: "",
});
