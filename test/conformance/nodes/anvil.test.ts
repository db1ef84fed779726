import { afterAll, beforeAll, describe, test } from "vitest";
import { findAnvil } from "../../../packages/ethereum-graphql/src/demo/anvil.ts";
import { type DemoChain, startDemoChain } from "../../../packages/ethereum-graphql/src/demo/demo-chain.ts";
import { holdNode } from "./hold-node.ts";
import { holdNodePage } from "./node-page.ts";

describe.skipIf(findAnvil() === undefined)(
  "anvil with the chain of the examples, checked against our description",
  () => {
    let chain: DemoChain | undefined;

    beforeAll(async () => {
      chain = await startDemoChain({ miningIntervalMilliseconds: 0 });
    }, 60_000);

    afterAll(() => chain?.stop());

    test("departs from it where the baseline says, by any seed", { timeout: 120_000 }, async () => {
      const run = await holdNode({
        url: chain?.url ?? "",
        baseline: "anvil",
        parameters: ["--spec", "specs/ethereum-node/openrpc.yaml", "--profile", "anvil"],
      });
      holdNodePage("anvil", "Ethereum JSON-RPC", "anvil", run);
    });
  },
);
