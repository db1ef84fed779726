import type { Outspend } from "@nodewright/index-api/types";
import type { AnySpend } from "../outspends.ts";
import { renderStatus } from "./transaction-status.ts";

/** Renders the spend of an output; `undefined` is nothing. */
export function renderOutspend(spend: AnySpend | undefined): Outspend {
  if (spend === undefined) return { spent: false };
  return { spent: true, txid: spend.txid, vin: spend.vin, status: renderStatus(spend.block) };
}
