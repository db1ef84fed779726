import { join } from "node:path";
import { networks } from "@nodewright/bitcoin-primitives";
import { describe, it } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { indexStoreContract } from "../testing/index-store-contract.ts";
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
});
