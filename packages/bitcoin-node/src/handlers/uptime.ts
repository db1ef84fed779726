import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns how long the service has been running. */
export const uptime: BitcoinHandler<"uptime", BitcoinNodeContext> = (_input, { startedAt, now }) =>
  Math.max(0, Math.floor((now() - startedAt) / 1_000));
