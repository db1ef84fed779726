import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";

/** How long the service runs. */
export const uptime: BitcoinHandler<"uptime", BitcoinNodeContext> = (_input, { startedAt, now }) =>
  Math.max(0, Math.floor((now() - startedAt) / 1_000));
