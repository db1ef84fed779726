import { displayHash, toHex } from "@nodewright/bitcoin-primitives";
import type { ChainBlock, MempoolStep, TestChain } from "./test-chain.ts";

/** JSON-RPC client of a node. */
export interface NodeRpc {
  /** Returns the result; rejects when the node returns an error. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
}

/** Sends blocks and mempool to a running regtest node, which has the genesis block alone. Rejects when it refuses anything. */
export async function playInto(rpc: NodeRpc, chain: TestChain): Promise<void> {
  let tip = "";
  for await (const block of chain.blocks) {
    if (block.branch === undefined) tip = displayHash(block.hash);
    if (block.height > 0) await submitBlock(rpc, block);
  }
  const best = await rpc.call("getbestblockhash");
  if (best !== tip) throw new Error(`The node's best block is ${String(best)}, not ${tip}`);
  for await (const step of chain.mempool) await playStep(rpc, step);
}

/** Sends one step to a node that has received those before it. */
export async function playStep(rpc: NodeRpc, step: MempoolStep): Promise<void> {
  if (step.kind === "block") return await submitBlock(rpc, step.block);
  const { bytes, txid } = step.transaction;
  const response = await rpc.call("sendrawtransaction", toHex(bytes));
  if (response !== displayHash(txid)) throw new Error(`The node calls ${displayHash(txid)} ${String(response)}`);
}

async function submitBlock(rpc: NodeRpc, { bytes, hash, height }: ChainBlock): Promise<void> {
  const response = await rpc.call("submitblock", toHex(bytes));
  // Null: it is on the best chain now. Bitcoin Core calls a valid block of another branch inconclusive; other values describe its problem.
  if (response !== null && response !== "inconclusive")
    throw new Error(`The node refuses block ${displayHash(hash)} at ${height}: ${String(response)}`);
}
