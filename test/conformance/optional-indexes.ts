import { askRpc, waitUntil } from "../support/calls.ts";
import type { ReadyNode } from "../support/service.ts";

/** Waits until indexes that are built beside the main one have all blocks, as `getindexinfo` names them. */
export async function waitForIndexes(node: ReadyNode, names: readonly string[]): Promise<void> {
  await waitUntil(`${names.join(" and ")} are built`, async () => {
    const indexes = (await askRpc(node, "getindexinfo")).result as Readonly<Record<string, IndexState>>;
    return names.every((name) => indexes[name]?.synced === true);
  });
}

interface IndexState {
  readonly synced: boolean;
}
