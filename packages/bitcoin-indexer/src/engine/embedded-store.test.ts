import { join } from "node:path";
import { networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { indexStoreContract } from "../testing/index-store-contract.ts";
import { RegtestChain } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { openEmbeddedStore } from "./embedded-store.ts";

const network = networks.regtest;

describe("the embedded store", () => {
  it.each(indexStoreContract)("$name", async ({ run }) => {
    await withTemporaryDirectory(async (directory) => {
      await run({
        open: (name) => openEmbeddedStore(join(directory, name), network),
        openReader: async (name) => openChainIndex(join(directory, name), { network }),
      });
    });
  });

  it("can be extended in bulk while it has a block", async () => {
    await withTemporaryDirectory(async (directory) => {
      const store = await openEmbeddedStore(directory, network);
      expect(store.extension).toBeUndefined();
      await applyBlocks(store, -1, [new RegtestChain().genesis.bytes]);
      expect(store.extension?.tip.height).toBe(0);
      await applyBlocks(store, -1, []);
      expect(store.extension).toBeUndefined();
      await store.close();
    });
  });

  it("has no addresses to look up where it was not made for that", async () => {
    await withTemporaryDirectory(async (directory) => {
      const store = await openEmbeddedStore(directory, network);
      await applyBlocks(store, -1, [new RegtestChain().genesis.bytes]);
      expect(await store.queries().addressesByPrefix("b", 1)).toBeUndefined();
      await store.close();
    });
  });
});
