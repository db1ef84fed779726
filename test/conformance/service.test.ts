import { bitcoinSuite } from "@nodewright/bitcoin-api/conformance";
import {
  type CaseReport,
  type ConformanceSuite,
  playSuite,
  type Report,
  type RpcSuite,
  renderPlainReport,
  type SuiteExample,
} from "@nodewright/conformance";
import { ethereumSuite } from "@nodewright/ethereum-api/conformance";
import { indexSuite } from "@nodewright/index-api/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askRpc, askRpcBatch } from "../support/calls.ts";
import { enableMethods } from "../support/method-access.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { waitForIndexes } from "./optional-indexes.ts";
import { methodsOff, methodsToEnable, operationsOfNode } from "./required-operations.ts";
import { rpcSuiteOf } from "./rpc-suite-of.ts";

const rpcSuite = rpcSuiteOf(bitcoinSuite);

function casesOf({ cases }: Report, verdict: CaseReport["verdict"]): readonly CaseReport[] {
  return cases.filter((one) => one.verdict === verdict);
}

function failedCases(report: Report): readonly string[] {
  return casesOf(report, "failed").map(
    ({ id, findings }) => `${id}: ${findings.map(({ message, detail }) => detail ?? message).join("; ")}`,
  );
}

/** Names of operations that the target does not offer, or not to this key. */
function unofferedOperations({ operations }: Report): readonly string[] {
  return operations.flatMap(({ operation, availability }) =>
    availability === "missing" || availability === "disabled" ? [operation] : [],
  );
}

describe("the generated suites against the started service", { timeout: 120_000 }, () => {
  let service: StartedService;

  beforeAll(async () => {
    service = await startService();
    await enableMethods(service, methodsToEnable(rpcSuite));
    await waitForIndexes(nodeOf(service, "bitcoin"), ["basic block filter index"]);
  }, 300_000);

  afterAll(() => service?.stop());

  async function play(suite: ConformanceSuite, baseUrl: string | undefined, apiKey: string): Promise<Report> {
    if (baseUrl === undefined) throw new Error(`The service does not serve ${suite.title}`);
    const report = await playSuite(suite, {
      baseUrl,
      apiKey,
      examples: "exact",
      mayBeMissing: operationsOfNode(suite),
      enabled: suite === bitcoinSuite ? methodsToEnable(rpcSuite) : [],
      allowWrites: true,
      rate: 2_000,
      seed: "01",
    });
    console.log(renderPlainReport(report));
    return report;
  }

  test("index REST", async () => {
    const { interfaces, apikey } = nodeOf(service, "bitcoin");
    const report = await play(indexSuite, interfaces.rest, apikey);
    expect(failedCases(report)).toEqual([]);
    expect(report.outcome).toBe("conforms");
  });

  test("Bitcoin JSON-RPC", async () => {
    const { interfaces, apikey } = nodeOf(service, "bitcoin");
    const report = await play(bitcoinSuite, interfaces.rpc, apikey);
    expect(failedCases(report)).toEqual([]);
    expect(report.outcome).toBe("conforms");

    const unoffered = unofferedOperations(report);
    expect(unoffered.length).toBeGreaterThan(0);
    for (const { name, method, extensions, examples } of rpcSuite.operations) {
      if (extensions.servedBy === "index") expect(unoffered).not.toContain(name);
      if (!unoffered.includes(name) || extensions.nodeControl) continue;
      const params = Object.values(examples.find(({ outcome }) => outcome.kind === "success")?.input ?? {});
      expect((await askRpc(nodeOf(service, "bitcoin"), method, ...params)).error, method).toMatchObject({
        code: -32601,
        data: { reason: "no-node" },
      });
    }
    const played = new Set(casesOf(report, "passed").map(({ operation }) => operation));
    const isOff = new Set(methodsOff(rpcSuite).filter((method) => !methodsToEnable(rpcSuite).includes(method)));
    const offered = rpcSuite.operations.filter(({ name, method }) => !unoffered.includes(name) && !isOff.has(method));
    expect(offered.map(({ name }) => name).filter((name) => !played.has(name))).toEqual([]);
  });

  test("Ethereum GraphQL", async ({ skip }) => {
    const { interfaces, apikey } = nodeOf(service, "ethereum");
    if (interfaces.graphql === undefined) skip("there is no anvil for the demo chain on this machine");
    const report = await play(ethereumSuite, interfaces.graphql, apikey);
    expect(failedCases(report)).toEqual([]);
    expect(report.outcome).toBe("conforms");
  });
});

describe("a service without optional indexes, for a subscription that nothing is enabled for", {
  timeout: 120_000,
}, () => {
  let service: StartedService;
  let node: ReadyNode;

  beforeAll(async () => {
    service = await startService({ parameters: ["--no-block-filters"] });
    node = nodeOf(service, "bitcoin");
  }, 300_000);

  afterAll(() => service?.stop());

  test("refuses each method that is off by its name, and says where it can be enabled", async () => {
    const enable = {
      node: "It acts on the node itself, and can be enabled on a node of your own only",
      index: "Ask the operator of this service to enable it for your subscription",
    };
    const refused = rpcSuite.operations.filter(({ method }) => methodsOff(rpcSuite).includes(method));
    expect(refused.length).toBeGreaterThan(25);
    const calls = refused.map(({ method, examples }) => {
      const params = Object.values(examples.find(({ outcome }) => outcome.kind === "success")?.input ?? {});
      return { method, params };
    });
    const refusals = refused.map(({ method, extensions }) => ({
      code: -32601,
      message: `The method ${method} is disabled for this subscription`,
      data: { reason: "method-disabled", method, enable: extensions.nodeControl ? enable.node : enable.index },
    }));
    expect((await askRpcBatch(node, calls)).map(({ error }) => error)).toEqual(refusals);
    for (const [position, { method, params }] of calls.entries()) {
      expect((await askRpc(node, method, ...params)).error).toEqual(refusals[position]);
    }
    const { result } = await askRpc(node, "help");
    const [, disabled = ""] = String(result).split("== Disabled ==");
    for (const method of methodsOff(rpcSuite)) expect(disabled).toMatch(new RegExp(`^${method}(?: |$)`, "m"));
  });

  test("does not offer in the suite what is off", async () => {
    const off = rpcSuite.operations.flatMap(({ name, method }) =>
      methodsOff(rpcSuite).includes(method) ? [name] : [],
    );
    const report = await playSuite(bitcoinSuite, {
      baseUrl: node.interfaces.rpc ?? "",
      apiKey: node.apikey,
      only: off,
      allowWrites: true,
    });
    expect(failedCases(report)).toEqual([]);
    expect(unofferedOperations(report)).toEqual(expect.arrayContaining(off));
    expect(report.totals).toMatchObject({ untested: 0, "not-sent": 0 });
  });

  test("says of filters and statistics that they are not kept, and gives what needs none", async () => {
    const answersOf = async (method: string, ...params: readonly unknown[]) => await askRpc(node, method, ...params);
    const hash = (await answersOf("getblockhash", 170)).result;
    const noFilters = { code: -1, message: "Index is not enabled for filtertype basic" };
    for (const [method, ...params] of [
      ["getblockfilter", hash],
      ["getcfilterheader", hash, 0],
    ] as const) {
      expect((await answersOf(method, ...params)).error, method).toEqual(noFilters);
    }
    // A filter needs its block alone.
    expect((await answersOf("getcfilter", hash, 0)).result).toMatch(/^[0-9a-f]+$/);
    expect(Object.keys((await answersOf("getindexinfo")).result ?? {})).toEqual(["txindex", "txospenderindex"]);

    await enableMethods(service, ["gettxoutsetinfo"]);
    const noStatistics = { code: -8, message: "Querying specific block heights requires coinstatsindex" };
    expect((await answersOf("gettxoutsetinfo", "muhash", 170)).error).toEqual(noStatistics);
    const report = await playSuite(bitcoinSuite, {
      baseUrl: node.interfaces.rpc ?? "",
      apiKey: node.apikey,
      examples: "exact",
      only: ["gettxoutsetinfo"],
      enabled: ["gettxoutsetinfo"],
    });
    expect(failedCases(report)).toEqual([]);
    expect(casesOf(report, "passed").length).toBeGreaterThan(20);
  });
});

describe("a service with statistics of all coins", { timeout: 120_000 }, () => {
  let service: StartedService;
  let node: ReadyNode;

  beforeAll(async () => {
    service = await startService({ parameters: ["--coin-statistics"] });
    node = nodeOf(service, "bitcoin");
    await enableMethods(service, methodsToEnable(rpcSuite));
    await waitForIndexes(node, ["basic block filter index", "coinstatsindex"]);
  }, 300_000);

  afterAll(() => service?.stop());

  test("gives them after every block, and in the suite without what only a count of all coins finds", async () => {
    const methods = [
      "gettxoutsetinfo",
      "getindexinfo",
      "scantxoutset",
      "getblockfilter",
      "getcfilter",
      "getcfilterheader",
    ];
    const report = await playSuite(suiteWithStatistics(rpcSuite), {
      baseUrl: node.interfaces.rpc ?? "",
      apiKey: node.apikey,
      examples: "exact",
      only: methods,
      enabled: methods,
    });
    expect(failedCases(report)).toEqual([]);
    const played = new Set(casesOf(report, "passed").map(({ operation }) => operation));
    expect([...played].filter((operation) => !operation.startsWith("(")).sort()).toEqual(methods.toSorted());

    const { result: first } = await askRpc(node, "gettxoutsetinfo", "muhash", 0);
    // As in Bitcoin Core: nobody can spend the first block's output.
    expect(first).toMatchObject({ height: 0, txouts: 0, total_amount: 0, total_unspendable_amount: 50 });
    for (const height of [1, 170, 14_131]) {
      const hash = (await askRpc(node, "getblockhash", height)).result;
      const { result: atHeight } = await askRpc(node, "gettxoutsetinfo", "muhash", height);
      expect(atHeight).toMatchObject({ height, bestblock: hash, block_info: { coinbase: 50, unspendable: 0 } });
      expect((await askRpc(node, "gettxoutsetinfo", "muhash", hash)).result).toEqual(atHeight);
    }
    const { result: kept } = await askRpc(node, "gettxoutsetinfo", "muhash");
    const { result: counted } = await askRpc(node, "gettxoutsetinfo", "muhash", null, false);
    const { txouts, bogosize, muhash, total_amount } = counted as Readonly<Record<string, unknown>>;
    expect(kept).toMatchObject({ txouts, bogosize, muhash, total_amount });
  });
});

/**
 * The index of statistics does not know how many transactions have coins, but what the best block has moved, which is a coinbase alone. A
 * hash over the serialized coins is not of that index.
 */
function suiteWithStatistics(suite: RpcSuite): RpcSuite {
  const moved = {
    total_unspendable_amount: 50,
    block_info: {
      prevout_spent: 0,
      coinbase: 50,
      new_outputs_ex_coinbase: 0,
      unspendable: 0,
      unspendables: { genesis_block: 0, bip30: 0, scripts: 0, unclaimed_rewards: 0 },
    },
  };
  const withStatistics = (example: SuiteExample): SuiteExample => {
    const { outcome } = example;
    if (outcome.kind !== "success" || example.isLive === true) return example;
    const {
      transactions: _transactions,
      disk_size: _size,
      ...value
    } = outcome.value as Readonly<Record<string, unknown>>;
    if ("hash_serialized_3" in value) return example;
    return { ...example, outcome: { ...outcome, value: { ...value, ...moved } } };
  };
  return {
    ...suite,
    operations: suite.operations.map((one) =>
      one.method === "gettxoutsetinfo" ? { ...one, examples: one.examples.map(withStatistics) } : one,
    ),
  };
}
