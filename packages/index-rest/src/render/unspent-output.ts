import type { MempoolUnspentOutput, UnspentOutput as ConfirmedOutput } from "@nodewright/bitcoin-indexer";
import type { UnspentOutput } from "@nodewright/index-api/types";
import { renderStatus } from "./transaction-status.ts";

/** An output that nothing spends; one of the mempool has no block. */
export function renderUnspentOutput(output: ConfirmedOutput | MempoolUnspentOutput): UnspentOutput {
  const { txid, vout, value } = output;
  return { txid, vout, status: renderStatus("block" in output ? output.block : undefined), value: Number(value) };
}
