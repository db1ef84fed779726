import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns the call itself: calls of others are private, and so is where the service logs. Its duration is in microseconds. */
export const getrpcinfo: BitcoinHandler<"getrpcinfo", BitcoinNodeContext> = () => ({
  active_commands: [{ method: "getrpcinfo", duration: 0 }],
  logpath: "",
});
