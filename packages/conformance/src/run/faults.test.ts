import { createServer as createSecureServer } from "node:https";
import { createServer as createSocketServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RunOptions } from "../contract/options.ts";
import { playSuite } from "./play-suite.ts";
import { selfSignedCertificate } from "./testing/certificate.ts";
import { sendJson, listen, serve } from "./testing/serve.ts";
import { httpOperation, httpSuite, integer, rpcMethod, rpcSuite, text } from "./testing/suites.ts";

const suite = httpSuite([
  httpOperation("getTip", "/tip", integer),
  httpOperation("getName", "/name", text),
  httpOperation("getSize", "/size", integer),
]);
const values: Readonly<Record<string, unknown>> = { "/tip": 7, "/name": "main", "/size": 12 };

async function play(baseUrl: string, options: Partial<RunOptions> = {}): ReturnType<typeof playSuite> {
  return playSuite(suite, { baseUrl, seed: "01", ...options });
}

function pathOf(url: string | undefined): string {
  return (url ?? "").replace(/\?.*/, "");
}

describe("nothing can be said of a target that", () => {
  test("refuses connections", async () => {
    const report = await play("http://127.0.0.1:1");
    expect(report).toMatchObject({ outcome: "inconclusive", requests: 1 });
    expect(report.inconclusiveBecause).toBe("The target can't be reached: the connection is refused (ECONNREFUSED).");
  });

  test("has a name that is not known", async () => {
    const report = await play("http://host.invalid");
    expect(report.inconclusiveBecause).toMatch(/^The target can't be reached: the host's name is not known \(E/);
  });

  test("never answers", async () => {
    const baseUrl = await serve(() => undefined);
    const report = await play(baseUrl, { timeoutMilliseconds: 100 });
    expect(report.inconclusiveBecause).toBe("The target can't be reached: no complete response in 0.1 s.");
  });

  test("answers drop by drop", async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.once("close", () => clearInterval(timer));
    });
    const report = await play(baseUrl, { timeoutMilliseconds: 200 });
    expect(report.inconclusiveBecause).toBe("The target can't be reached: no complete response in 0.2 s.");
  });

  test("redirects", async () => {
    const baseUrl = await serve((request, response) => {
      response.writeHead(301, { location: `https://other.test${request.url ?? ""}` }).end();
    });
    const report = await play(baseUrl, { apiKey: "very-secret-key" });
    expect(report.inconclusiveBecause).toBe(
      "The target redirects (301) to https://other.test/tip: give that address if it is the API's.",
    );
  });

  test("serves HTML", async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html><title>Welcome to nginx!</title></html>");
    });
    const report = await play(baseUrl);
    expect(report.inconclusiveBecause).toBe(
      'The address returns HTML ("Welcome to nginx!"), not the API (status 200).',
    );
  });

  test("serves its JSON as HTML, which is a fault of the API and no other page", async () => {
    const list = httpSuite([httpOperation("getTips", "/tips", { kind: "list", element: integer })]);
    const baseUrl = await serve(({ url }, response) => {
      const isKnown = pathOf(url) === "/tips";
      response.writeHead(isKnown ? 200 : 404, { "content-type": "text/html" }).end(isKnown ? "[7]" : "{}");
    });
    const { outcome, cases } = await playSuite(list, { baseUrl, seed: "01" });
    expect(outcome).toBe("differs");
    expect(cases.flatMap(({ findings }) => findings.map(({ rule }) => rule))).toContain("H106");
  });

  test("breaks off in the middle of every answer", async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write("{", () => response.destroy());
    });
    const report = await play(baseUrl);
    expect(report.inconclusiveBecause).toMatch(
      /^The target can't be reached: the connection ended before the response was complete/,
    );
  });

  test("speaks another protocol", async () => {
    const port = await listen(createSocketServer((socket) => void socket.resume().end("SSH-2.0-OpenSSH_9.6\r\n")));
    const report = await play(`http://127.0.0.1:${port}`);
    expect(report.inconclusiveBecause).toMatch(/the response is not HTTP/);
  });

  test("throttles everything", async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(429, { "retry-after": "0" }).end();
    });
    const report = await play(baseUrl);
    expect(report).toMatchObject({ outcome: "inconclusive", totals: { failed: 0 } });
    expect(report.inconclusiveBecause).toBe(
      "The target is too busy: the target reported 6 times that it is too busy (429).",
    );
  });

  test("wants to be asked again much later", async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(429, { "retry-after": "3600" }).end();
    });
    const report = await play(baseUrl);
    expect(report.inconclusiveBecause).toContain("asks for a retry after 3600 s");
  });

  test("has an expired certificate", async () => {
    const { key, cert } = selfSignedCertificate("127.0.0.1", new Date("2020-01-01"), new Date("2020-01-02"));
    const trusted = getCACertificates("default");
    setDefaultCACertificates([cert]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const port = await listen(createSecureServer({ key, cert }, (_request, response) => void response.end("7")));
    const report = await play(`https://127.0.0.1:${port}`);
    expect(report.outcome).toBe("inconclusive");
    expect(report.inconclusiveBecause).toBe(
      "The target can't be reached: the certificate has expired (CERT_HAS_EXPIRED).",
    );
  });

  test("has a certificate that nobody signed, or for another host", async () => {
    const { key, cert } = selfSignedCertificate("other.test", new Date("2020-01-01"), new Date("2049-01-01"));
    const port = await listen(createSecureServer({ key, cert }, (_request, response) => void response.end("7")));
    const report = await play(`https://127.0.0.1:${port}`);
    expect(report.inconclusiveBecause).toMatch(/the certificate is (?:self-signed|for another host)/);
  });

  test("refuses the key", async () => {
    const baseUrl = await serve((_request, response) => sendJson(response, 401, { error: "no" }));
    expect((await play(baseUrl)).inconclusiveBecause).toBe("The target wants a key (401), and none was given.");
    expect((await play(baseUrl, { headers: { authorization: "Bearer wrong-one" } })).inconclusiveBecause).toBe(
      "The target refuses the given headers (401), or requires a key in addition.",
    );
    const report = await play(baseUrl, { apiKey: "wrong-wrong-wrong" });
    expect(report.inconclusiveBecause).toBe("The target refuses the key (401).");
    expect(JSON.stringify(report)).not.toContain("wrong-wrong-wrong");
  });

  test("is another API's", async () => {
    const baseUrl = await serve((_request, response) => sendJson(response, 404, { error: "Not Found" }));
    const report = await play(baseUrl);
    expect(report).toMatchObject({ outcome: "inconclusive" });
    expect(report.inconclusiveBecause).toMatch(
      /^The document does not match this address at all: all 3 called operations have the status 404/,
    );
  });

  test("has one operation that is answered as nothing is", async () => {
    const baseUrl = await serve((request, response) =>
      sendJson(response, 404, { status: 404, path: pathOf(request.url), at: new Date().toISOString() }),
    );
    const report = await playSuite(httpSuite([httpOperation("getTip", "/tip", integer)]), { baseUrl, seed: "01" });
    expect(report.inconclusiveBecause).toMatch(/does not match this address at all: the called operation has/);
  });

  test("answers every operation with a failure that is documented", async () => {
    const baseUrl = await serve((_request, response) => sendJson(response, 404, { error: "Not Found" }));
    const missing = httpOperation("getTip", "/tip", integer, {
      failures: [{ name: "NotFound", status: 404, contents: [], headers: [] }],
    });
    const report = await playSuite(httpSuite([missing]), { baseUrl, seed: "01" });
    expect(report.outcome).not.toBe("conforms");
  });

  test("stands behind a gateway that has lost it", async () => {
    const baseUrl = await serve((_request, response) => void response.writeHead(502).end("bad gateway"));
    expect((await play(baseUrl)).inconclusiveBecause).toBe("A gateway responds in place of the target: 502.");
  });

  test("has none of the methods", async () => {
    const baseUrl = await serve((request, response) => {
      request.resume();
      sendJson(response, 200, { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } });
    });
    const methods = rpcSuite([rpcMethod("getone", integer), rpcMethod("gettwo", integer)]);
    const report = await playSuite(methods, { baseUrl, seed: "01", only: ["getone", "gettwo"] });
    expect(report.outcome).not.toBe("conforms");
  });
});

describe("of a target that is there", () => {
  test("what everybody may ask for is judged, though the rest wants a key", async () => {
    const baseUrl = await serve((request, response) =>
      pathOf(request.url) === "/tip" ? sendJson(response, 200, 7) : sendJson(response, 401, { error: "no key" }),
    );
    const locked = { security: [[{ scheme: "key", scopes: [] }]] };
    const operations = [
      ...["/a", "/b", "/c"].map((path) => httpOperation(`get${path.slice(1)}`, path, integer, locked)),
      httpOperation("getTip", "/tip", integer, { security: [[]] }),
    ];
    const report = await playSuite(httpSuite(operations), { baseUrl, seed: "01" });
    expect(report.inconclusiveBecause).toBeUndefined();
    expect(report.cases.some(({ operation, verdict }) => operation === "getTip" && verdict === "passed")).toBe(true);
  });

  test("an answer without an end is cut and told", async () => {
    const baseUrl = await serve((request, response) => {
      if (pathOf(request.url) !== "/size")
        return sendJson(response, pathOf(request.url) in values ? 200 : 404, values[pathOf(request.url)] ?? {});
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (response.write("1".repeat(65_536)));
        response.once("drain", more);
      };
      more();
      return undefined;
    });
    const report = await play(baseUrl, { maxResponseBytes: 1_000_000 });
    const cut = report.cases.filter(
      ({ operation, findings }) => operation === "getSize" && findings.some(({ rule }) => rule === "SIZE"),
    );
    expect(cut.length).toBeGreaterThan(0);
    expect(cut[0]).toMatchObject({ verdict: "warned", findings: [{ detail: "it was cut after 1000000 bytes" }] });
  });

  test("an answer that breaks off fails its case alone", async () => {
    const baseUrl = await serve((request, response) => {
      if (pathOf(request.url) !== "/size")
        return sendJson(response, pathOf(request.url) in values ? 200 : 404, values[pathOf(request.url)] ?? {});
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write("12", () => response.destroy());
      return undefined;
    });
    const report = await play(baseUrl);
    expect(report.outcome).toBe("differs");
    const failed = report.cases.filter(({ findings }) => findings.some(({ rule }) => rule === "ANSW"));
    expect(new Set(failed.map(({ operation }) => operation))).toEqual(new Set(["getSize"]));
    expect(failed[0]?.findings).toMatchObject([{ message: "the connection ended before the response was complete" }]);
    expect(report.cases.some(({ operation, verdict }) => operation === "getTip" && verdict === "passed")).toBe(true);
  });

  test("being throttled now and then is waited out", async () => {
    let requests = 0;
    const baseUrl = await serve((request, response) => {
      requests += 1;
      if (requests % 3 === 0)
        return void response.writeHead(requests % 2 === 0 ? 429 : 503, { "retry-after": "0" }).end();
      return sendJson(response, pathOf(request.url) in values ? 200 : 404, values[pathOf(request.url)] ?? {});
    });
    const report = await play(baseUrl, { only: ["get*"] });
    const text = JSON.stringify(report.cases);
    expect(text).not.toMatch(/"status":(?:429|503)/);
    expect(report.totals.untested).toBe(0);
    expect(report.totals.passed).toBeGreaterThan(0);
  });

  test("an interruption keeps what was played", async () => {
    const controller = new AbortController();
    const baseUrl = await serve((request, response) => {
      if (pathOf(request.url) === "/size") return controller.abort();
      return sendJson(response, pathOf(request.url) in values ? 200 : 404, values[pathOf(request.url)] ?? {});
    });
    const report = await play(baseUrl, { signal: controller.signal, concurrency: 1 });
    expect(report).toMatchObject({ outcome: "inconclusive", totals: { failed: 0 } });
    expect(report.inconclusiveBecause).toMatch(/interrupted/);
    expect(report.totals.passed).toBeGreaterThan(0);
    expect(report.totals.untested).toBeGreaterThan(0);
    expect(report.notices.join()).toContain("The run ended early: the run was interrupted");
  });

  test("a limit of requests keeps what was played", async () => {
    const baseUrl = await serve((request, response) =>
      sendJson(response, pathOf(request.url) in values ? 200 : 404, values[pathOf(request.url)] ?? {}),
    );
    const report = await play(baseUrl, { maxRequests: 3 });
    expect(report).toMatchObject({ outcome: "conforms", requests: 3 });
    expect(report.totals.untested).toBeGreaterThan(0);
  });
});
