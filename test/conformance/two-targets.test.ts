import { bitcoinSuite } from "@nodewright/bitcoin-api/conformance";
import { type ConformanceSuite, playSuite, type Report, relationsBetween } from "@nodewright/conformance";
import { indexSuite } from "@nodewright/index-api/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";

describe("two targets of one chain", { timeout: 120_000 }, () => {
  let service: StartedService;
  let node: ReadyNode;

  beforeAll(async () => {
    service = await startService();
    node = nodeOf(service, "bitcoin");
  }, 120_000);

  afterAll(() => service?.stop());

  async function compare(suite: ConformanceSuite, baseUrl: string, across?: ConformanceSuite): Promise<Report> {
    const { rest = "", rpc = "" } = node.interfaces;
    return playSuite(suite, {
      baseUrl,
      apiKey: node.apikey,
      only: ["*/against/*"],
      rate: 2_000,
      seed: "01",
      ...(across === undefined
        ? { against: baseUrl }
        : {
            across: {
              suite: across,
              baseUrl: across === indexSuite ? rest : rpc,
              relations: relationsBetween(suite, across),
            },
          }),
    });
  }

  function failures({ cases }: Report): readonly string[] {
    return cases.filter(({ verdict }) => !["passed", "skipped"].includes(verdict)).map(({ id }) => id);
  }

  test("a service answers as it does itself", async () => {
    const report = await compare(indexSuite, node.interfaces.rest ?? "");
    expect(failures(report)).toEqual([]);
    expect(report.totals.passed).toBeGreaterThan(80);
    expect(report.against).toBeDefined();
  });

  test("its index REST tells what its JSON-RPC tells", async () => {
    const report = await compare(indexSuite, node.interfaces.rest ?? "", bitcoinSuite);
    expect(failures(report)).toEqual([]);
    expect(report.totals.passed).toBe(relationsBetween(indexSuite, bitcoinSuite).length);
  });

  test("its JSON-RPC tells what its index REST tells", async () => {
    const report = await compare(bitcoinSuite, node.interfaces.rpc ?? "", indexSuite);
    expect(failures(report)).toEqual([]);
    expect(report.totals.passed).toBe(relationsBetween(bitcoinSuite, indexSuite).length);
  });
});
