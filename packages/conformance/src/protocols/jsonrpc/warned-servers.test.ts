import { isRecord } from "@nodewright/api-model";
import type { IncomingMessage, RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import type { RunOptions } from "../../contract/options.ts";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { RpcSuite, SuiteFailure } from "../../suite/suite.ts";
import { ChainFailure, type ChainFault, chainBlocks, chainListener, hashOf } from "./testing/chain-server.ts";
import { chainSuite } from "./testing/chain-suite.ts";

/** Returns the ids of all rules in a report, of any level. */
async function findingsOf(
  listener: RequestListener,
  suite: RpcSuite,
  more: Partial<RunOptions> = {},
): Promise<string[]> {
  const baseUrl = await serve(listener);
  const { cases } = await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8, ...more });
  return [...new Set(cases.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].sort();
}

function reported(fault: ChainFault, suite: RpcSuite = chainSuite()): Promise<string[]> {
  return findingsOf(chainListener(fault), suite);
}

/** Returns the suite of the chain with other documented failures. */
function suiteWith(failures: readonly SuiteFailure[], hasExamples = false): RpcSuite {
  const suite = chainSuite({ hasExamples });
  return { ...suite, operations: suite.operations.map((one) => ({ ...one, failures })) };
}

/** Returns a fault with another code in place of one of its own. */
function recoded(from: number, to: number): ChainFault {
  return {
    result: (_method, _params, right) => {
      try {
        return right();
      } catch (error) {
        throw error instanceof ChainFailure && error.code === from ? new ChainFailure(to, error.message) : error;
      }
    },
  };
}

const notFound: SuiteFailure = { name: "NotFound", rpcCode: -5, message: "Not found", contents: [], headers: [] };
const refused: SuiteFailure = { name: "Refused", rpcCode: -32602, message: "Refused", contents: [], headers: [] };

describe("responses", () => {
  it.each<[string, string, ChainFault]>([
    ["have a member of nobody", "J07", { response: (right) => ({ ...right, took: 3 }) }],
    ["name no media type", "J10", { httpResponse: (right) => ({ ...right, headers: {} }) }],
    [
      "are refused for an id of null",
      "J55",
      {
        response: (right, request) =>
          isRecord(request) && request["id"] === null && right["result"] !== undefined
            ? { jsonrpc: "2.0", error: { code: -32600, message: "Invalid Request" }, id: null }
            : right,
      },
    ],
    [
      "need params that may be left out",
      "J62",
      {
        response: (right, request) =>
          isRecord(request) && request["params"] === undefined && right["result"] !== undefined
            ? { jsonrpc: "2.0", error: { code: -32602, message: "Invalid params" }, id: right["id"] }
            : right,
      },
    ],
    [
      "refuse batches that are long",
      "J72",
      {
        batch: (right) =>
          right.length > 4 ? { jsonrpc: "2.0", error: { code: -32600, message: "No" }, id: null } : right,
      },
    ],
  ])("that %s are told by %s", async (_name, rule, fault) => {
    expect(await reported(fault)).toContain(rule);
  });

  it("to what is no POST, or is not sent as JSON, come without a failure of the server", async () => {
    const right = chainListener();
    const failing =
      (isWrong: (request: IncomingMessage) => boolean): RequestListener =>
      (request, response) =>
        isWrong(request) ? response.writeHead(500).end() : right(request, response);
    expect(
      await findingsOf(
        failing(({ method }) => method === "GET"),
        chainSuite(),
      ),
    ).toContain("J65");
    const isPlain = ({ headers }: IncomingMessage): boolean => headers["content-type"] === "text/plain";
    expect(await findingsOf(failing(isPlain), chainSuite())).toContain("J66");
  });
});

describe("errors", () => {
  it("for wrong parameters have a code that fits", async () => {
    expect(await reported(recoded(-32602, -32601))).toContain("J20");
    expect(await reported(recoded(-32602, -9), suiteWith([notFound, refused]))).toContain("J22");
    expect(await reported(recoded(-32602, -9), suiteWith([notFound]))).toContain("J23");
  });

  it("for what is not there are documented", async () => {
    expect(await reported(recoded(-5, -9), suiteWith([refused]))).toContain("J27");
  });

  it("have data of the documented type", async () => {
    const content = { mediaType: "application/json", form: "json", type: { kind: "string" } } as const;
    const response = (right: Readonly<Record<string, unknown>>): unknown =>
      isRecord(right["error"]) ? { ...right, error: { ...right["error"], data: 5 } } : right;
    expect(await reported({ response }, suiteWith([{ ...notFound, contents: [content] }, refused], true))).toContain(
      "P035",
    );
  });
});

describe("calls", () => {
  it("for what can't exist have no result", async () => {
    const first = chainBlocks[0].transactions[0];
    const inventing: ChainFault = {
      result: (method, _params, right) => {
        if (method !== "gettransaction") return right();
        try {
          return right();
        } catch {
          return first;
        }
      },
    };
    expect(await reported(inventing)).toContain("P036");
  });

  it("with one parameter more are refused", async () => {
    const careless: ChainFault = {
      response: (httpResponse, request) =>
        isRecord(request) && Array.isArray(request["params"]) && request["params"].includes("surplus")
          ? { jsonrpc: "2.0", result: 4, id: httpResponse["id"] }
          : httpResponse,
    };
    expect(await reported(careless)).toContain("P016");
  });

  it("for different blocks have different answers", async () => {
    const same: ChainFault = {
      result: (method, _params, right) => (method === "getblockhash" && right() !== undefined ? hashOf(2) : right()),
    };
    expect(await reported(same, chainSuite({ hasExamples: false }))).toContain("P020");
  });
});

describe("keys", () => {
  /** Creates a server that responds with only a status to clients without the right key. */
  function guarded(status: number, headers: Readonly<Record<string, string>> = {}): RequestListener {
    const right = chainListener();
    return (request, response) =>
      request.headers.authorization === "Bearer right-key-of-the-run"
        ? right(request, response)
        : response.writeHead(status, headers).end();
  }
  const suite: RpcSuite = {
    ...chainSuite(),
    security: { key: { kind: "bearer", location: "header", parameter: "Authorization" } },
  };
  const options = { apiKey: "right-key-of-the-run" };

  it("are looked at", async () => {
    expect(await findingsOf(chainListener(), suite, options)).toContain("P040");
    expect(await findingsOf(chainListener(), chainSuite(), options)).toContain("P041");
    const inHeader = { headers: { authorization: `Bearer ${options.apiKey}` } };
    expect(await findingsOf(chainListener(), suite, inHeader)).toContain("P040");
    expect(await findingsOf(guarded(401, { "www-authenticate": "Bearer" }), suite, inHeader)).toEqual([]);
  });

  it("that are wrong are answered as HTTP has it", async () => {
    expect(await findingsOf(guarded(401, { "www-authenticate": "Bearer" }), suite, options)).toEqual([]);
    expect(await findingsOf(guarded(401), suite, options)).toEqual(["P044"]);
    expect(await findingsOf(guarded(400), suite, options)).toEqual(["P042"]);
  });
});
