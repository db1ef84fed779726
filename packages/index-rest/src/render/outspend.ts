import type { MempoolSpend, Spend } from "@nodewright/bitcoin-indexer";
import type { Outspend } from "@nodewright/index-api/types";
import { renderStatus } from "./transaction-status.ts";

/** Input that spends an output; without `block`, an input in the mempool. */
export type AnySpend = Spend | (MempoolSpend & { readonly block?: undefined });

/** Renders the spend of an output; `undefined`: the output is unspent. */
export function renderOutspend(spend: AnySpend | undefined): Outspend {
  if (spend === undefined) return { spent: false };
  return { spent: true, txid: spend.txid, vin: spend.vin, status: renderStatus(spend.block) };
}
