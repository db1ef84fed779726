import { bitcoinSuite } from "@nodewright/bitcoin-api/conformance";
import { type ConformanceSuite, type Report, renderReport, runSuite } from "@nodewright/conformance";
import { ethereumSuite } from "@nodewright/ethereum-api/conformance";
import { indexSuite } from "@nodewright/index-api/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeOf, type StartedService, startService } from "../support/service.ts";
import { optionalOperations } from "./required-operations.ts";

describe("the generated suites against the started service", { timeout: 120_000 }, () => {
  let service: StartedService;

  beforeAll(async () => {
    service = await startService();
  }, 120_000);

  afterAll(() => service?.stop());

  async function play(suite: ConformanceSuite, baseUrl: string | undefined, apiKey: string): Promise<Report> {
    if (baseUrl === undefined) throw new Error(`The service does not serve ${suite.title}`);
    const report = await runSuite(suite, {
      baseUrl,
      apiKey,
      mayBeMissing: optionalOperations(suite),
      allowWrites: true,
    });
    console.log(renderReport(report));
    return report;
  }

  function failedCases({ operations }: Report): readonly string[] {
    return operations.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict === "failed").map(({ id }) => id));
  }

  test("index REST", async () => {
    const { interfaces, apikey } = nodeOf(service, "bitcoin");
    const report = await play(indexSuite, interfaces.rest, apikey);
    expect(failedCases(report)).toEqual([]);
    expect(report.conforms).toBe(true);
  });

  test("Bitcoin JSON-RPC", async () => {
    const { interfaces, apikey } = nodeOf(service, "bitcoin");
    const report = await play(bitcoinSuite, interfaces.rpc, apikey);
    expect(failedCases(report)).toEqual([]);
    expect(report.conforms).toBe(true);
  });

  test("Ethereum GraphQL", async ({ skip }) => {
    const { interfaces, apikey } = nodeOf(service, "ethereum");
    if (interfaces.graphql === undefined) skip("there is no anvil for the demo chain on this machine");
    const report = await play(ethereumSuite, interfaces.graphql, apikey);
    expect(failedCases(report)).toEqual([]);
    expect(report.conforms).toBe(true);
  });
});
