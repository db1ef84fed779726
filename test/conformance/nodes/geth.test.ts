import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type DevChain, startDevChain } from "../../support/dev-chain.ts";
import { playDevHistory } from "../../support/dev-history.ts";
import { requireProgram } from "../../support/requirement.ts";
import { root } from "../../support/workspace.ts";
import { holdNode } from "./hold-node.ts";
import { holdNodePage } from "./node-page.ts";

const { path } = requireProgram("geth");

describe.skipIf(path === undefined)("geth with a chain of its own, checked against our descriptions", () => {
  let directory: string;
  let chain: DevChain;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-conform-geth-"));
    chain = await startDevChain(path ?? "", directory);
    await playDevHistory(chain);
  }, 120_000);

  afterAll(async () => {
    await chain?.geth.stop();
    rmSync(directory, { recursive: true });
  });

  test("departs from JSON-RPC where the baseline says, by any seed", { timeout: 120_000 }, async () => {
    const run = await holdNode({
      url: chain.geth.url,
      baseline: "geth",
      parameters: ["--spec", "specs/ethereum-node/openrpc.yaml", "--profile", "geth"],
    });
    holdNodePage("geth", "Ethereum JSON-RPC", "geth", run);
  });

  test("departs from GraphQL where the baseline says, by any seed", { timeout: 120_000 }, async () => {
    const run = await holdNode({
      url: chain.geth.graphqlUrl,
      baseline: "geth-graphql",
      parameters: ["--spec", "specs/ethereum/schema.graphql", ...operations()],
    });
    holdNodePage("geth", "Ethereum GraphQL", "geth-graphql", run);
  });
});

function operations(): readonly string[] {
  const directory = "specs/ethereum/operations";
  return readdirSync(join(root, directory))
    .filter((name) => name.endsWith(".graphql"))
    .toSorted()
    .flatMap((name) => ["--operations", `${directory}/${name}`]);
}
