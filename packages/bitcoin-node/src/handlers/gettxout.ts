import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isUnspendable } from "@nodewright/bitcoin-primitives";
import { getTip } from "../best-block.ts";
import type { BitcoinNodeContext } from "../context.ts";
import { renderScriptPubKey } from "../render/script.ts";

/** An unspent output. */
export const gettxout: BitcoinHandler<"gettxout", BitcoinNodeContext> = async ({ txid, vout }, { index }) => {
  const id = txid.toLowerCase();
  const found = await index.transaction(id);
  const output = found?.transaction.outputs[vout];
  const block = found?.block;
  if (found === undefined || output === undefined || block === undefined) return null;
  // Bitcoin Core keeps neither the first block's output nor what nobody can spend.
  if (block.height === 0 || isUnspendable(output.scriptPubKey)) return null;
  const spends = await index.spends(id);
  if (spends?.[vout] !== undefined) return null;
  const tip = await getTip(index);
  return {
    bestblock: tip.hash,
    confirmations: Math.max(tip.height - block.height + 1, 1),
    value: output.value,
    scriptPubKey: renderScriptPubKey(output.scriptPubKey, index.network),
    coinbase: found.transaction.isCoinbase,
  };
};
