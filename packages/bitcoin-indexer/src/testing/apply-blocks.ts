import { parseBlock } from "@nodewright/bitcoin-primitives";
import { connectBlock, emptyChain, extendChain, medianTimeReach } from "../chain/connect-block.ts";
import { HeaderWork } from "../chain/header-work.ts";
import { SpendableOutputs } from "../chain/spendable-outputs.ts";
import type { IndexStore, PlacedBlock, StoreChange } from "../engine/index-store.ts";

/** Number of blocks that are connected at once. */
const blocksPerWrite = 7;

/** Replaces the chain above `forkHeight` by `blocks`, serialized and upward, and commits that. */
export async function applyBlocks(store: IndexStore, forkHeight: number, blocks: readonly Uint8Array[]): Promise<void> {
  const change = await beginBlocks(store, forkHeight, blocks);
  await change.commit();
}

/** Does the same without the commit: the change is still open. */
export async function beginBlocks(
  store: IndexStore,
  forkHeight: number,
  blocks: readonly Uint8Array[],
): Promise<StoreChange> {
  const headerWork = new HeaderWork(store.network);
  const headers = await store.headers(forkHeight - medianTimeReach + 1, forkHeight);
  const last = headers.at(-1);
  let state = emptyChain;
  if (last !== undefined) {
    const { height, header, chainWork, nextTransactionNumber } = last;
    state = {
      height,
      hash: header.hash,
      chainWork,
      times: headers.map(({ header: { time } }) => time),
      nextTransactionNumber,
    };
  }
  const change = await store.change(forkHeight);
  const outputs = new SpendableOutputs((outpoints) => change.findUnspentOutputs(outpoints));
  for (let start = 0; start < blocks.length; start += blocksPerWrite) {
    const connected: PlacedBlock[] = [];
    for (const bytes of blocks.slice(start, start + blocksPerWrite)) {
      const block = parseBlock(bytes);
      await outputs.fetch(block);
      const next = connectBlock(block, state, outputs, headerWork);
      connected.push(next);
      state = extendChain(state, next);
    }
    await change.connect(connected);
    outputs.settle();
  }
  return change;
}
