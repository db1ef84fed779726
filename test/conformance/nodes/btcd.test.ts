import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoBlocks } from "../../end-to-end/demo-blocks.ts";
import type { BitcoinProgram } from "../../support/bitcoin-program.ts";
import { prepareBtcd } from "../../support/btcd.ts";
import { requireProgram } from "../../support/requirement.ts";
import { holdNode } from "./hold-node.ts";
import { holdNodePage } from "./node-page.ts";

const { path } = requireProgram("btcd");

describe.skipIf(path === undefined)("btcd with the first blocks of mainnet, checked against our description", () => {
  let directory: string;
  let btcd: BitcoinProgram;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-conform-btcd-"));
    btcd = await prepareBtcd(path ?? "", directory, {
      network: "mainnet",
      hasTransactionIndex: true,
      hasAddressIndex: true,
    });
    await btcd.start();
    const blocks = demoBlocks(14_132).slice(1);
    await btcd.callEach(
      "submitblock",
      blocks.map((block) => [block.toString("hex")]),
    );
  }, 180_000);

  afterAll(async () => {
    await btcd?.stop();
    rmSync(directory, { recursive: true });
  });

  test("departs from it where the baseline says, by any seed", { timeout: 180_000 }, async () => {
    const run = await holdNode({
      url: btcd.url,
      baseline: "btcd",
      parameters: ["--spec", "specs/bitcoin/openrpc.yaml", "--profile", "btcd"],
      environment: { NODEWRIGHT_BASIC: `${btcd.user}:${btcd.password}` },
    });
    expect(run.report.target).toMatchObject({ client: "btcd 0.26.2", chain: "mainnet", height: 14_131 });
    expect(run.output).not.toContain(btcd.password);
    holdNodePage("btcd", "Bitcoin JSON-RPC", "btcd", run);
  });
});
