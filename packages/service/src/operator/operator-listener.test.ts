import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { NodeHealth } from "../node/node-health.ts";
import { createOperatorListener } from "./operator-listener.ts";

const bitcoin: NodeHealth = {
  id: "bitcoin-regtest",
  chain: "bitcoin",
  isServed: true,
  problem: "Served up to height 7: The node could not be reached. Trying again.",
  index: {
    state: "stalled",
    reason: "The node could not be reached. Trying again.",
    height: 7,
    targetHeight: 9,
    lastBlockTime: 1_700_000_000,
  },
  optionalIndexes: [
    { index: "block-filters", state: "ready", height: 7, targetHeight: 7 },
    { index: "coin-statistics", state: "stalled", height: 3, targetHeight: 7, reason: "The disk is full." },
  ],
  mempool: { state: "following", transactions: 12, virtualSize: 3_456, leftOut: 0, refreshMilliseconds: 25 },
  secondsSinceResponse: 4,
  upstreams: [
    {
      name: "127.0.0.1:8332",
      breaker: "closed",
      standing: "well",
      head: { hash: "ab".repeat(32), height: 9 },
      lag: 0,
      outstanding: 2,
      connectionBound: 16,
      batchLimit: 100,
      calls: 70,
      failures: 3,
      refusals: 5,
      retries: 1,
      hedges: 0,
      secondsSinceResponse: 1,
    },
    {
      name: "[::1]:8332",
      breaker: "open",
      standing: "unheard",
      outstanding: 0,
      connectionBound: 4,
      batchLimit: 100,
      calls: 8,
      failures: 8,
      refusals: 0,
      retries: 0,
      hedges: 0,
    },
  ],
};
const ethereum: NodeHealth = { id: "ethereum-dev", chain: "ethereum", isServed: false, problem: "starting" };

const docs = () => ({
  configuration: { endpoints: [{ nodeId: "ethereum-dev", url: "http://127.0.0.1:8645/ethereum-dev/graphql" }] },
  allowedOrigins: ["http://127.0.0.1:8645"],
});

describe("the operator's listener", () => {
  const listenerOf = (...nodes: readonly NodeHealth[]) =>
    createOperatorListener({ status: () => "degraded", nodes: async () => nodes, docs });
  const ask = async (path: string, nodes: readonly NodeHealth[], host = "127.0.0.1:9000") =>
    await listenerOf(...nodes).inject({ url: path, headers: { host } });

  it("tells all about each node", async () => {
    const response = await ask("/health", [bitcoin, ethereum]);
    expect(response.json()).toEqual({ status: "degraded", nodes: [bitcoin, ethereum] });
    expect(response.headers).toMatchObject({ "cache-control": "no-store" });
    expect(response.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("is ready when every node is served", async () => {
    const [ready, waiting] = [await ask("/readyz", [bitcoin]), await ask("/readyz", [bitcoin, ethereum])];
    expect([ready.statusCode, ready.body]).toEqual([200, "ready"]);
    expect([waiting.statusCode, waiting.body]).toEqual([503, "not ready: ethereum-dev"]);
  });

  it("is not ready while the index of a node has failed for good, also if it is served, and is while one is stalled", async () => {
    const failed: NodeHealth = { ...bitcoin, index: { state: "failed", height: 7, targetHeight: 9, reason: "No." } };
    const responses = [await ask("/readyz", [failed]), await ask("/readyz", [bitcoin])];
    expect(responses.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [503, "not ready: bitcoin-regtest"],
      [200, "ready"],
    ]);
  });

  it("writes its figures as Prometheus reads them", async () => {
    const { body, headers } = await ask("/metrics", [bitcoin, ethereum]);
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const samples = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    for (const sample of samples)
      expect(sample).toMatch(/^[a-z_]+(?:\{[a-z]+="[^"\\]+"(?:,[a-z]+="[^"\\]+")*\})? -?[\d.]+$/);
    expect(samples).toEqual(
      expect.arrayContaining([
        'nodewright_status{state="degraded"} 1',
        'nodewright_status{state="ok"} 0',
        'nodewright_node_served{node="ethereum-dev"} 0',
        'nodewright_node_problem{node="bitcoin-regtest"} 1',
        'nodewright_index_state{node="bitcoin-regtest",state="stalled"} 1',
        'nodewright_index_state{node="bitcoin-regtest",state="ready"} 0',
        'nodewright_index_height{node="bitcoin-regtest"} 7',
        'nodewright_index_target_height{node="bitcoin-regtest"} 9',
        'nodewright_index_last_block_time_seconds{node="bitcoin-regtest"} 1700000000',
        'nodewright_optional_index_state{node="bitcoin-regtest",index="coin-statistics",state="stalled"} 1',
        'nodewright_optional_index_state{node="bitcoin-regtest",index="coin-statistics",state="ready"} 0',
        'nodewright_optional_index_height{node="bitcoin-regtest",index="block-filters"} 7',
        'nodewright_optional_index_height{node="bitcoin-regtest",index="coin-statistics"} 3',
        'nodewright_upstream_answer_age_seconds{node="bitcoin-regtest"} 4',
        'nodewright_mempool_transactions{node="bitcoin-regtest"} 12',
        'nodewright_upstream_breaker{node="bitcoin-regtest",upstream="127.0.0.1:8332",state="closed"} 1',
        'nodewright_upstream_breaker{node="bitcoin-regtest",upstream="[::1]:8332",state="open"} 1',
        'nodewright_upstream_standing{node="bitcoin-regtest",upstream="[::1]:8332",state="unheard"} 1',
        'nodewright_upstream_height{node="bitcoin-regtest",upstream="127.0.0.1:8332"} 9',
        'nodewright_upstream_calls_total{node="bitcoin-regtest",upstream="127.0.0.1:8332"} 70',
        'nodewright_upstream_refusals_total{node="bitcoin-regtest",upstream="127.0.0.1:8332"} 5',
        'nodewright_mempool_refresh_seconds{node="bitcoin-regtest"} 0.025',
      ]),
    );
    const described = new Set([...body.matchAll(/^# TYPE (\S+) (?:gauge|counter)$/gm)].map(([, name]) => name));
    expect(new Set(samples.map((sample) => /^[a-z_]+/.exec(sample)?.[0]))).toEqual(described);
  });

  it("shows GraphiQL for its Ethereum nodes, and lets nothing else be asked", async () => {
    const { statusCode, headers, body } = await ask("/docs", [bitcoin, ethereum]);
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toContain("connect-src http://127.0.0.1:8645;");
    expect(body).toContain("http://127.0.0.1:8645/ethereum-dev/graphql");
  });

  const followed = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

  it.each(["/docs", "/docs/", "/health", "/metrics", "/readyz"])("opens a link of another site: %s", async (url) => {
    const headers = { host: "127.0.0.1:9000", ...followed };
    const { statusCode } = await listenerOf(bitcoin).inject({ url, headers });

    expect(statusCode).toBe(url === "/docs/" ? 308 : 200);
  });

  it.each([
    ["in a frame", "GET", { "sec-fetch-dest": "iframe" }],
    ["as an object", "GET", { "sec-fetch-dest": "object" }],
    ["by a script", "GET", { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty" }],
    ["as a script", "GET", { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" }],
    ["with another mode", "GET", { "sec-fetch-mode": "cors" }],
    ["by a form that sends a body", "POST", { origin: "https://evil.example" }],
    ["at a name of its own", "GET", { host: "evil.example" }],
  ] as const)("opens nothing else for another site: %s", async (_name, method, changed) => {
    const headers = { host: "127.0.0.1:9000", ...followed, ...changed };
    const { statusCode } = await listenerOf(bitcoin).inject({ method, url: "/docs", headers });

    expect(statusCode).toBe("host" in changed ? 421 : 403);
  });

  it("refuses what a browser sends for another site, and more than one Host", async () => {
    const listener = listenerOf(bitcoin);
    const send = (headers: Readonly<Record<string, string>>) =>
      listener.inject({ url: "/health", headers: { host: "127.0.0.1:9000", ...headers } });
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
      { origin: "http://127.0.0.1:3000" },
    ]) {
      const { statusCode, body } = await send(headers);
      expect([statusCode, body]).toEqual([403, "A browser sends this request for another site"]);
    }
    expect((await send({ "sec-fetch-site": "none" })).statusCode).toBe(200);
    expect((await send({ origin: "http://127.0.0.1:9000" })).statusCode).toBe(200);

    const port = Number(new URL(await listener.listen({ port: 0, host: "127.0.0.1" })).port);
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /health HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    await listener.close();
  });

  it("answers nobody who requests another machine, and nothing else", async () => {
    expect((await ask("/health", [bitcoin], "evil.example")).statusCode).toBe(421);
    expect((await ask("/health", [bitcoin], "localhost:9000")).statusCode).toBe(200);
    expect((await ask("/docs", [bitcoin], "evil.example")).statusCode).toBe(421);
    expect((await ask("/", [bitcoin])).statusCode).toBe(404);
  });
});
