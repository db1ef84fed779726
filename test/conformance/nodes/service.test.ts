import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReadyNode, type StartedService, nodeOf, startService } from "../../support/service.ts";
import { root } from "../../support/workspace.ts";
import { type ConformRun, conformByCommand, surprisesOf } from "./conform-by-command.ts";

describe("our own service, by the command, with a baseline that knows no failure", { timeout: 120_000 }, () => {
  let service: StartedService;

  beforeAll(async () => {
    service = await startService();
  }, 120_000);

  afterAll(() => service?.stop());

  async function play(
    { apikey }: ReadyNode,
    url: string | undefined,
    parameters: readonly string[],
  ): Promise<ConformRun> {
    const baseline = join(root, "test/conformance/nodes/service.baseline.yaml");
    const words = [...parameters, "--baseline", baseline, "--seed", "5eed"];
    const run = await conformByCommand(url ?? expect.unreachable(), words, { NODEWRIGHT_API_KEY: apikey });
    expect(surprisesOf(run.report)).toEqual([]);
    expect(run.code, run.output).toBe(0);
    expect(JSON.stringify(run.report)).not.toContain(apikey);
    return run;
  }

  test("Bitcoin REST", async () => {
    const node = nodeOf(service, "bitcoin");
    await play(node, node.interfaces.rest, ["--spec", "specs/index/openapi.yaml"]);
  });

  test("Bitcoin JSON-RPC", async () => {
    const node = nodeOf(service, "bitcoin");
    const { report } = await play(node, node.interfaces.rpc, [
      "--spec",
      "specs/bitcoin/openrpc.yaml",
      ...["--rate", "1000"],
    ]);
    expect(report.requests).toBeGreaterThan(500);
  });

  test("Ethereum GraphQL", async ({ skip }) => {
    const node = nodeOf(service, "ethereum");
    if (node.interfaces.graphql === undefined) skip("there is no anvil for the demo chain on this machine");
    const directory = "specs/ethereum/operations";
    const operations = readdirSync(join(root, directory)).filter((name) => name.endsWith(".graphql"));
    await play(node, node.interfaces.graphql, [
      ...["--spec", "specs/ethereum/schema.graphql"],
      ...operations.flatMap((name) => ["--operations", `${directory}/${name}`]),
    ]);
  });
});
