import type { UnspentOutput as IndexedOutput } from "@nodewright/bitcoin-indexer";
import type { UnspentOutput } from "@nodewright/index-api/types";
import { renderStatus } from "./transaction-status.ts";

/** An output that nothing spends. */
export function renderUnspentOutput({ txid, vout, block, value }: IndexedOutput): UnspentOutput {
  return { txid, vout, status: renderStatus(block), value: Number(value) };
}
