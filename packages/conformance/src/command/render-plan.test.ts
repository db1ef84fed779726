import { describe, expect, it } from "vitest";
import type { RecordedRequest } from "../contract/exchange.ts";
import type { RunPlan } from "../run/plan-suite.ts";
import { renderPlan } from "./render-plan.ts";

const baseUrl = "http://node.example/api";

function linesOf(protocol: RunPlan["protocol"], operation: string, requests: readonly Partial<RecordedRequest>[]) {
  const plan: RunPlan = {
    protocol,
    baseUrl,
    seed: "5eed",
    operations: [],
    cases: requests.map((request, index) => ({
      id: `${operation}/live/${index}`,
      operation,
      group: "live",
      stage: "live",
      expected: "a success",
      requests: 1,
      previews: [{ method: "POST", url: baseUrl, headers: {}, ...request }],
    })),
    maximumRequests: 10,
    callsPerOperation: 5,
  };
  return renderPlan(plan, { width: 80, isVerbose: false }).split("\n");
}

describe("a plan", () => {
  it("names method and parameters of JSON-RPC", () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: "x", method: "eth_getBalance", params: ["0x1", "latest"] });
    const lines = linesOf("rpc", "ethGetBalance", [{ body }, { body: '{"jsonrpc"' }, { body: "5" }]);
    expect(lines).toContain('    eth_getBalance ["0x1","latest"]');
    expect(lines).toContain(`    POST ${baseUrl} {"jsonrpc"`);
    expect(lines).toContain(`    POST ${baseUrl} 5`);
  });

  it("names the field of GraphQL with its variables", () => {
    const query = "query ($id: ID!) {\n  item(id: $id) {\n    id\n  }\n}";
    const lines = linesOf("graphql", "Query.item", [{ body: JSON.stringify({ query, variables: { id: "1" } }) }]);
    expect(lines).toContain('    query ($id: ID!) { item(id: $id) { id } } {"id":"1"}');
    expect(lines).toContain("Sent: 1 operation");
  });

  it("names method and path of HTTP, each request once", () => {
    const lines = linesOf("http", "listItems", [
      { method: "GET", url: `${baseUrl}/items?limit=1` },
      { method: "GET", url: `${baseUrl}/items?limit=1` },
      { url: `${baseUrl}/search`, body: '{"method":"text"}' },
    ]);
    expect(lines.filter((line) => line === "    GET /items?limit=1")).toHaveLength(1);
    expect(lines).toContain('    POST /search {"method":"text"}');
  });
});
