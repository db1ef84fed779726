import type { Spend } from "@nodewright/bitcoin-indexer";
import type { Outspend } from "@nodewright/index-api/types";
import { renderStatus } from "./transaction-status.ts";

/** What spends an output; `undefined` is nothing. */
export function renderOutspend(spend: Spend | undefined): Outspend {
  if (spend === undefined) return { spent: false };
  return { spent: true, txid: spend.txid, vin: spend.vin, status: renderStatus(spend.block) };
}
