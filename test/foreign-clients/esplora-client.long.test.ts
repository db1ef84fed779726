import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, startService } from "../support/service.ts";
import { serveChain } from "./served-chain.ts";

// Builds a program of Rust from its registry: too much for every change.

const cargo = requireProgram("cargo").path;
const btcd = requireProgram("btcd").path;
const manifest = join(import.meta.dirname, "esplora-client/Cargo.toml");

const longestMilliseconds = 900_000;

/** Lets the client walk the index REST interface of a node, and send a transaction; gives what it says of its walk. */
async function visit({ endpoint, apikey }: ReadyNode, ...transactions: readonly string[]): Promise<string> {
  const parameters = ["run", "--quiet", "--locked", "--manifest-path", manifest, "--"];
  const client = spawn(cargo ?? "", [...parameters, `${endpoint}/indexer/rest`, apikey, ...transactions], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[code], output, errors] = await Promise.all([once(client, "close"), text(client.stdout), text(client.stderr)]);
  expect(code, errors).toBe(0);
  return output.trim();
}

describe.skipIf(cargo === undefined)("Rust's esplora-client", { timeout: longestMilliseconds }, () => {
  it("finds nothing that does not agree on mainnet's first blocks", async () => {
    const service = await startService();
    try {
      const found = await visit(nodeOf(service, "bitcoin"));
      console.log(`esplora-client over mainnet: ${found}`);
      expect(found).toMatch(
        /^\d{2,} blocks, \d{2,} transactions, \d{2,} scripts in \d{3,} pages, 0 unconfirmed, \d{3,} answers/,
      );
    } finally {
      await service.stop();
    }
  });

  it.skipIf(btcd === undefined)("finds nothing on a signed chain with a mempool, and adds to it", async () => {
    const directory = mkdtempSync(join(tmpdir(), "nodewright-esplora-client-"));
    const served = await serveChain(btcd ?? "", directory);
    try {
      const found = await visit(served.node, served.unsent);
      console.log(`esplora-client over btcd: ${found}`);
      expect(found).toMatch(
        /^\d{2,} blocks, \d{2,} transactions, \d{2,} scripts in \d{3,} pages, 11 unconfirmed, \d{3,} answers/,
      );
      expect(await served.upstream.call("getrawmempool")).toContain(served.unsentId);
    } finally {
      await served.stop();
      rmSync(directory, { recursive: true });
    }
  });
});
