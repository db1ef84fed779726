import { describe, expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { RpcSuite } from "../../suite/suite.ts";
import { ChainFailure, type ChainFault, chainListener, hashOf } from "./testing/chain-server.ts";
import { chainSuite } from "./testing/chain-suite.ts";
import { blamedRules } from "../../testing/blamed-cases.ts";

async function play(fault: ChainFault = {}, suite: RpcSuite = chainSuite()): Promise<Report> {
  return await playSuite(suite, {
    baseUrl: await serve(chainListener(fault)),
    seed: "5eed",
    rate: 10_000,
    concurrency: 8,
  });
}

function findingsOf({ cases }: Report): readonly unknown[] {
  return cases.flatMap(({ id, verdict, findings, reason }) =>
    verdict === "passed" || verdict === "skipped" ? [] : [{ id, verdict, reason, findings }],
  );
}

/** Returns a fault with other results of one method. */
function resultFault(
  wanted: string,
  change: (right: unknown, params: readonly unknown[], call: number) => unknown,
): ChainFault {
  return {
    result: (method, params, right, call) => (method === wanted ? change(right(), params, call) : right()),
  };
}

function changed(value: unknown, members: Readonly<Record<string, unknown>>): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, ...members } : value;
}

describe("a right server", () => {
  it.each([
    ["with examples", true],
    ["without examples", false],
  ])("has no findings by a document %s", async (_name, hasExamples) => {
    const report = await play({}, chainSuite({ hasExamples }));
    expect(findingsOf(report)).toEqual([]);
    expect(report.outcome).toBe("conforms");
    expect(report.requests).toBeLessThan(250);
    expect(Math.max(...report.operations.map(({ calls }) => calls))).toBeLessThanOrEqual(60);
  });

  it.each<[string, ChainFault]>([
    ["members in another order", { response: (right) => Object.fromEntries(Object.entries(right).reverse()) }],
    ["batches in another order", { batch: (right) => right.toReversed() }],
    [
      "a charset, other names of headers and blanks",
      {
        httpResponse: ({ status, body }) => ({
          status,
          headers: { "Content-Type": "application/json; charset=utf-8", "X-Extra": "1" },
          body: body === "" ? "" : ` \n${body}\n`,
        }),
      },
    ],
    [
      "statuses of their own for errors",
      {
        httpResponse: (right) =>
          right.body.startsWith('{"jsonrpc":"2.0","error"') ? { ...right, status: 400 } : right,
      },
    ],
    [
      "numbers that are spelled otherwise",
      { httpResponse: (right) => ({ ...right, body: right.body.replaceAll(/"height":(\d+)/g, '"height":$1.0e0') }) },
    ],
    ["further members of objects that are open", resultFault("getblock", (right) => changed(right, { extra: 1 }))],
    [
      "other words in errors that no example fixes",
      {
        response: (right, request) =>
          right["error"] === undefined || JSON.stringify(request ?? null).includes("00000001")
            ? right
            : { ...right, error: { ...(right["error"] as object), message: "Nope", data: { why: "so" } } },
      },
    ],
    [
      "a chain that grows while it is asked",
      resultFault("getblockcount", (right, _params, call) => Number(right) + call),
    ],
    [
      "confirmations that go up",
      resultFault("getblock", (right, _params, call) => changed(right, { confirmations: call })),
    ],
  ])("may have %s", async (_name, fault) => {
    expect(findingsOf(await play(fault))).toEqual([]);
  });
});

describe("responses", () => {
  it.each<[string, string, ChainFault]>([
    ["no version", "J03", { response: ({ jsonrpc: _version, ...rest }) => rest }],
    ["another version", "J03", { response: (right) => ({ ...right, jsonrpc: "1.0" }) }],
    [
      "ids as texts",
      "J04",
      { response: (right) => ({ ...right, id: right["id"] === null ? null : String(right["id"]) }) },
    ],
    ["no ids", "J04", { response: ({ id: _id, ...rest }) => rest }],
    ["both members", "J05", { response: (right) => ({ result: null, error: null, ...right }) }],
    ["neither member", "J05", { response: ({ result: _result, ...rest }) => rest }],
    [
      "codes that are texts",
      "J06",
      {
        response: (right) =>
          isError(right) ? { ...right, error: { ...right.error, code: String(right.error.code) } } : right,
      },
    ],
    [
      "errors without message",
      "J06",
      { response: (right) => (isError(right) ? { ...right, error: { code: right.error.code } } : right) },
    ],
    ["another status", "J08", { httpResponse: (right) => (right.status === 200 ? { ...right, status: 201 } : right) }],
    [
      "another media type",
      "J09",
      { httpResponse: (right) => ({ ...right, headers: { "content-type": "text/plain" } }) },
    ],
    ["no JSON", "J02", { httpResponse: (right) => ({ ...right, body: right.body === "" ? "" : `${right.body}}` }) }],
  ])("with %s break %s", async (_name, rule, fault) => {
    const report = await play(fault);
    expect(blamedRules(report)).toContain(rule);
  });

  it("are held to both members where the document says so", async () => {
    const both: ChainFault = { response: (right) => ({ result: null, error: null, ...right }) };
    expect(findingsOf(await play(both, chainSuite({ envelope: "both" })))).toEqual([]);
    expect(blamedRules(await play({}, chainSuite({ envelope: "both" })))).toContain("J05");
  });
});

describe("results", () => {
  const dropped = (name: string): ChainFault =>
    resultFault("getblock", (right) =>
      typeof right === "object" && right !== null
        ? Object.fromEntries(Object.entries(right).filter(([member]) => member !== name))
        : right,
    );

  it.each<[string, readonly string[], ChainFault]>([
    ["lack a member", ["J11"], dropped("height")],
    ["have another type", ["J11"], resultFault("getblock", (right) => changed(right, { height: "1" }))],
    ["are null", ["J11"], resultFault("getblockcount", () => null)],
    ["have a value that is not listed", ["J11"], resultFault("getblock", (right) => changed(right, { kind: "odd" }))],
    [
      "ignore the verbosity",
      ["J33"],
      { result: (method, params, right) => (method === "getblock" ? asDefault(params, right) : right()) },
    ],
    ["are longer than the limit", ["P001"], resultFault("listblockhashes", () => [0, 1, 2, 3, 4].map(hashOf))],
    ["have another id", ["P020"], resultFault("gettransaction", (right) => changed(right, { txid: hashOf(7) }))],
    ["drift", ["P011"], resultFault("gettransaction", (right, _params, call) => changed(right, { size: call }))],
    [
      "differ between default and explicit default",
      ["P009"],
      resultFault("listblockhashes", (right, params) => (params[0] === 3 ? (right as unknown[]).slice(1) : right)),
    ],
    [
      "name another parent",
      ["P026"],
      resultFault("getblock", (right) => changed(right, { previousblockhash: hashOf(3) })),
    ],
    [
      "are not those of the objects in other results",
      ["P023"],
      resultFault("gettransaction", (right) => changed(right, { amounts: [7, 7] })),
    ],
  ])("that %s are found with and without examples", async (_name, rules, fault) => {
    expect(blamedRules(await play(fault))).toEqual(expect.arrayContaining([...rules]));
    const withoutExamples = await play(fault, chainSuite({ hasExamples: false }));
    // What only examples can find is not found without them.
    if (!rules.includes("J33")) expect(blamedRules(withoutExamples)).toEqual(expect.arrayContaining([...rules]));
  });

  it.each<[string, ChainFault]>([
    ["changed values", resultFault("gettransaction", (right) => changed(right, { size: 7 }))],
    [
      "reordered lists",
      resultFault("gettransaction", (right) =>
        changed(right, { amounts: [...(right as { amounts: number[] }).amounts].reverse() }),
      ),
    ],
    ["truncated lists", resultFault("gettransaction", (right) => changed(right, { amounts: [1] }))],
  ])("are held to the documented values: %s", async (_name, fault) => {
    expect(blamedRules(await play(fault))).toContain("P030");
  });

  it("say where the document says what they break", async () => {
    const report = await play(resultFault("getblock", (right) => changed(right, { kind: "odd" })));
    const finding = report.cases.flatMap(({ findings }) => findings).find(({ rule }) => rule === "J11");
    expect(finding).toMatchObject({ pointer: "/kind", level: "MUST" });
    expect(finding?.message).not.toContain("odd");
  });
});

describe("parameters", () => {
  const accepting = (
    wanted: string,
    isBad: (params: readonly unknown[]) => boolean,
    httpResponse: unknown,
  ): ChainFault => ({
    result: (method, params, right) => (method === wanted && isBad(params) ? httpResponse : right()),
  });

  it.each<[string, ChainFault]>([
    ["below the minimum", accepting("getblockhash", ([height]) => Number(height) < 0, hashOf(0))],
    ["of another type", accepting("getblockhash", ([height]) => typeof height === "string", hashOf(0))],
    [
      "that are fractions",
      accepting("getblockhash", ([height]) => typeof height === "number" && !Number.isInteger(height), hashOf(0)),
    ],
    ["that are missing", accepting("getblockhash", ([height]) => height === undefined, hashOf(0))],
    ["that are null", accepting("getblockhash", ([height]) => height === null, hashOf(0))],
    [
      "that are no hashes",
      accepting("gettransaction", ([txid]) => typeof txid === "string" && !/^[0-9a-f]{64}$/.test(txid), {
        txid: hashOf(0),
        size: 1,
        amounts: [],
      }),
    ],
    ["above the maximum", accepting("listblockhashes", ([limit]) => Number(limit) > 5, [])],
    [
      "that are not listed",
      accepting("listblockhashes", ([, order]) => order !== undefined && order !== "up" && order !== "down", []),
    ],
  ])("%s must not be taken", async (_name, fault) => {
    expect(blamedRules(await play(fault))).toContain("P014");
    expect(blamedRules(await play(fault, chainSuite({ hasExamples: false })))).toContain("P014");
  });

  const refusing = (wanted: string, isRefused: (params: readonly unknown[]) => boolean): ChainFault => ({
    result: (method, params, right) => {
      if (method === wanted && isRefused(params)) throw new ChainFailure(-32602, "Invalid params");
      return right();
    },
  });

  it.each<[string, ChainFault]>([
    ["at the maximum", refusing("listblockhashes", ([limit]) => limit === 5)],
    ["at the minimum", refusing("listblockhashes", ([limit]) => limit === 1)],
    ["out of a list", refusing("listblockhashes", ([, order]) => order === "down")],
    ["left out", refusing("listblockhashes", (params) => params.length === 0)],
    ["of a small range", refusing("getblock", ([, verbosity]) => verbosity === 2)],
  ])("%s must not be refused", async (_name, fault) => {
    // A refused example is reported as such.
    expect(blamedRules(await play(fault)).some((rule) => rule === "J12" || rule === "P012")).toBe(true);
    expect(blamedRules(await play(fault, chainSuite({ hasExamples: false })))).toContain("P012");
  });

  it("that name nothing are refused with the documented error", async () => {
    const fault: ChainFault = {
      result: (_method, _params, right) => {
        try {
          return right();
        } catch (error) {
          throw error instanceof ChainFailure && error.code === -5 ? new ChainFailure(-7, "Not found") : error;
        }
      },
    };
    expect(blamedRules(await play(fault))).toEqual(expect.arrayContaining(["P032", "P036"]));
    expect(blamedRules(await play(fault, chainSuite({ hasExamples: false })))).toContain("P036");
  });

  it("by name are taken by all methods where some take them", async () => {
    const refusal = JSON.stringify({ jsonrpc: "2.0", error: { code: -32602, message: "Invalid params" }, id: 0 });
    const refusing = (pattern: RegExp): ChainFault => ({
      httpResponse: (right, text) => {
        const id: unknown = pattern.test(text) ? (JSON.parse(text) as { id?: unknown }).id : undefined;
        return id === undefined ? right : { ...right, body: refusal.replace('"id":0', `"id":${JSON.stringify(id)}`) };
      },
    });
    expect(blamedRules(await play(refusing(/^\{.*"method":"gettransaction","params":\{"/)))).toEqual(["J29"]);
    expect(blamedRules(await play(refusing(/^\{.*"params":\{/)))).toEqual([]);
  });

  it("by name and by position are the same", async () => {
    const report = await playSuite(chainSuite(), {
      baseUrl: await serve(
        chainListener({
          httpResponse: (right, text) =>
            text.includes('"params":{"txid"') ? { ...right, body: right.body.replace('"size":1', '"size":2') } : right,
        }),
      ),
    });
    expect(blamedRules(report)).toContain("J28");
  });
});

describe("methods", () => {
  it("that are not there fail once, and the rest of them is skipped", async () => {
    const fault: ChainFault = {
      result: (method, _params, right) => {
        if (method === "getblock") throw new ChainFailure(-32601, "Method not found");
        return right();
      },
    };
    const report = await play(fault);
    const ofMethod = report.cases.filter(({ operation }) => operation === "getblock");
    expect(
      ofMethod.filter(({ verdict }) => verdict === "failed").map(({ findings }) => findings.map(({ rule }) => rule)),
    ).toEqual([["J01"]]);
    expect(ofMethod.filter(({ verdict }) => verdict === "passed")).toEqual([]);
  });
});

describe("the protocol", () => {
  const responding = (pattern: RegExp, body: string): ChainFault => ({
    httpResponse: (right, text) =>
      pattern.test(text) ? { ...right, status: 200, headers: { "content-type": "application/json" }, body } : right,
  });
  const error = (code: number, id: unknown = null): string =>
    JSON.stringify({ jsonrpc: "2.0", error: { code, message: "x" }, id });
  const isBatch = /^\[/;

  it.each<[string, string, ChainFault]>([
    ["broken JSON", "J50", responding(/"method":$/, error(-32600))],
    ["a number", "J51", responding(/^5$/, error(-32603))],
    ["an empty batch", "J60", responding(/^\[\]$/, "[]")],
    ["a request without method", "J51", responding(/^\{"jsonrpc":"2.0","id":7\}$/, error(-32601, 7))],
    ["a method that is not there", "J52", responding(/no_such_method","params":\[\]/, error(-32600, 7))],
    [
      "a method that every object has",
      "J52",
      responding(/"constructor"/, JSON.stringify({ jsonrpc: "2.0", result: "x", id: 7 })),
    ],
    [
      "large ids",
      "J04",
      { response: (right) => (right["id"] === Number.MAX_SAFE_INTEGER ? { ...right, id: 1 } : right) },
    ],
    [
      "a notification",
      "J57",
      {
        httpResponse: (right) =>
          right.status === 204
            ? { status: 200, headers: { "content-type": "application/json" }, body: error(-1) }
            : right,
      },
    ],
    ["a batch, refused", "J58", responding(isBatch, error(-32600))],
    ["a batch of one", "J58", { batch: (right) => (right.length === 1 ? right[0] : right) }],
    ["a batch, cut", "J59", { batch: (right) => right.slice(1) }],
    ["a batch with doubles", "J59", { batch: (right) => [...right, right[0]] }],
    ["members of a batch that are no requests", "J61", { batch: (right) => right.filter((one) => !isError(one)) }],
    [
      "results in a batch",
      "J40",
      {
        batch: (right) =>
          right.map((one) =>
            typeof one === "object" && one !== null && "result" in one && typeof one.result === "string"
              ? { ...one, result: hashOf(9) }
              : one,
          ),
      },
    ],
    ["escapes and blanks", "J63", responding(/json\\u0072pc/, error(-32700))],
  ])("is held for %s: %s", async (_name, rule, fault) => {
    expect(blamedRules(await play(fault))).toContain(rule);
  });

  it("tells once that batches are refused", async () => {
    const report = await play(responding(isBatch, error(-32600)));
    const failed = report.cases.filter(({ verdict }) => verdict === "failed");
    expect(failed.map(({ id }) => id)).toEqual(["(protocol)/protocol/batch"]);
  });

  it("asks for little", async () => {
    const report = await play();
    const requests = report.cases.filter(({ operation }) => operation === "(protocol)");
    expect(requests.length).toBeLessThanOrEqual(30);
    expect(requests.length).toBeGreaterThan(20);
  });
});

function asDefault(params: readonly unknown[], right: () => unknown): unknown {
  const httpResponse = right();
  if (params[1] === undefined || params[1] === 1 || typeof httpResponse !== "string") return httpResponse;
  return { hash: String(params[0]), height: 1, kind: "usual", tx: [hashOf(1)] };
}

function isError(value: unknown): value is { readonly error: { readonly code: number; readonly message: string } } {
  return (
    typeof value === "object" &&
    value !== null &&
    "error" in value &&
    typeof value.error === "object" &&
    value.error !== null
  );
}
