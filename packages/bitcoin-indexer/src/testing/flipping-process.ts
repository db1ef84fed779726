/**
 * A writer as a process of its own, for tests that kill it: it switches an index between two branches again and again. Forked with a
 * `FlipOrder` as its first message, it reports each time which branch is committed.
 */
import { networks } from "@nodewright/bitcoin-primitives";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { applyBlocks } from "./apply-blocks.ts";
import type { FlipOrder } from "./kill-flipping.ts";

process.once("message", async ({ directory, forkHeight, branches }: FlipOrder) => {
  const store = await openEmbeddedStore(directory, networks.regtest);
  while (process.connected) {
    for (const [index, blocks] of branches.entries()) {
      await applyBlocks(
        store,
        forkHeight,
        blocks.map((text) => Buffer.from(text, "hex")),
      );
      process.send?.(index);
    }
  }
  await store.close();
});
