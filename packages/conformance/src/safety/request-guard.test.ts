import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, integer, rpcMethod, rpcSuite } from "../run/testing/suites.ts";
import type { ConformanceSuite, GraphqlSuite } from "../suite/suite.ts";
import type { PlainRequest } from "../contract/exchange.ts";
import { createRequestGuard } from "./request-guard.ts";
import { createSafety } from "./safety.ts";

function refusal(
  suite: ConformanceSuite,
  request: Partial<PlainRequest>,
  operation: string,
  allowWrites = false,
): string | undefined {
  const guard = createRequestGuard(suite, createSafety(suite, {}), allowWrites);
  return guard({ method: "POST", path: "", query: "", headers: {}, ...request }, operation);
}

describe("over HTTP", () => {
  const extensions = { disabledByDefault: false, nodeControl: false, units: 1 };
  const suite = httpSuite([
    httpOperation("getOne", "/one", integer),
    httpOperation("searchOne", "/one/search", integer, { method: "POST", extensions: { ...extensions, safe: true } }),
    httpOperation("addOne", "/one", integer, { method: "POST" }),
    httpOperation("resetOne", "/one/reset", integer, { extensions: { ...extensions, safe: false } }),
  ]);

  test.each([
    ["GET", "getOne", true],
    ["HEAD", "getOne", true],
    ["OPTIONS", "addOne", true],
    ["PROPFIND", "(protocol)", false],
    ["TRACE", "getOne", false],
    ["DELETE", "getOne", false],
    ["PUT", "(protocol)", false],
    ["POST", "(protocol)", false],
    ["POST", "searchOne", true],
    ["POST", "addOne", false],
    ["PATCH", "searchOne", false],
    ["GET", "resetOne", false],
  ])("%s of %s: sent is %s", (method, operation, isSent) => {
    expect(refusal(suite, { method }, operation) === undefined).toBe(isSent);
    expect(refusal(suite, { method }, operation, true)).toBeUndefined();
  });
});

describe("over JSON-RPC", () => {
  const suite = rpcSuite([rpcMethod("getone", integer), rpcMethod("stop", integer), rpcMethod("rescan", integer)]);

  test.each([
    ['{"method":"getone"}', true],
    ['{"method":"stop"}', false],
    ['[{"method":"getone"},{"method":"stop"}]', false],
    ['{"method":"st\\u006fp"}', false],
    ['{"method":"stop", broken', false],
    ['{"method":"getone"', true],
    ['{"method":"nodewright_noSuchMethod"}', true],
    ['{"method":"rpc.discover"}', true],
    ['{"method":"sendtoaddress"}', false],
    ["", true],
    ["[]", true],
  ])("%s: sent is %s", (body, isSent) => {
    expect(refusal(suite, { body }, "(protocol)") === undefined).toBe(isSent);
  });
});

describe("where writes are allowed", () => {
  test("what is said to be unsafe is sent neither alone nor in a batch", () => {
    const suite = rpcSuite([rpcMethod("getone", integer), rpcMethod("stop", integer), rpcMethod("rescan", integer)]);
    const guard = createRequestGuard(suite, createSafety(suite, { unsafe: ["st*"] }), true);
    const refusalOf = (body: string): string | undefined =>
      guard({ method: "POST", path: "", query: "", headers: {}, body }, "(protocol)");
    expect(refusalOf('{"method":"rescan"}')).toBeUndefined();
    expect(refusalOf('{"method":"stop"}')).toBe("it is declared unsafe");
    expect(refusalOf('[{"method":"getone"},{"method":"stop"}]')).toBe("it is declared unsafe");
  });
});

describe("over GraphQL", () => {
  const suite: GraphqlSuite = {
    ...rpcSuite([]),
    protocol: "graphql",
    schema: "type Query { one: Int } type Mutation { add: Int }",
    scalars: {},
    documents: [],
  };

  test.each([
    ["query { one }", true],
    ["{ __schema { mutationType { name } } }", true],
    ["query mutation($mutation: Int) { one }", true],
    ["mutation { __typename }", true],
    ["mutation { add }", false],
    ["mutation Add($a: Int) @x { __typename add }", false],
    ["query A { one } mutation B { add }", false],
    ["subscription { one }", false],
  ])("%s: sent is %s", (query, isSent) => {
    expect(refusal(suite, { body: JSON.stringify({ query }) }, "x") === undefined).toBe(isSent);
    expect(refusal(suite, { body: JSON.stringify({ query: `\n\t${query}` }, undefined, 2) }, "x") === undefined).toBe(
      isSent,
    );
    expect(refusal(suite, { method: "GET", query: `query=${encodeURIComponent(query)}` }, "x") === undefined).toBe(
      isSent,
    );
  });
});
