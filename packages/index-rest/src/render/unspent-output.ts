import type { MempoolUnspentOutput, UnspentOutput as ConfirmedOutput } from "@nodewright/bitcoin-indexer";
import type { UnspentOutput } from "@nodewright/index-api/types";
import { PreparedJson } from "@nodewright/runtime";
import { statusText } from "./transaction-status.ts";

/** Outputs that nothing spends; one of the mempool has no block. */
export function renderUnspentOutputs(
  outputs: readonly (ConfirmedOutput | MempoolUnspentOutput)[],
): PreparedJson<readonly UnspentOutput[]> {
  return new PreparedJson(`[${outputs.map(unspentOutputText).join(",")}]`);
}

/** One of them in JSON. */
export function unspentOutputText(output: ConfirmedOutput | MempoolUnspentOutput): string {
  const { txid, vout, value } = output;
  const status = statusText("block" in output ? output.block : undefined);
  return `{"txid":"${txid}","vout":${vout},"status":${status},"value":${Number(value)}}`;
}
