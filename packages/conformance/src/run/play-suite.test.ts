import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { HttpSuite } from "../suite/suite.ts";
import { playSuite } from "./play-suite.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const extensions = { disabledByDefault: false, nodeControl: false, units: 1 };
const json = { mediaType: "application/json", form: "json" } as const;

const suite: HttpSuite = {
  format: 2,
  protocol: "http",
  name: "pets",
  title: "Pets",
  version: "1",
  source: "pets.yaml",
  security: {},
  types: {},
  operations: [
    {
      name: "getTip",
      origin: "GET /tip",
      method: "GET",
      path: "/tip",
      tags: [],
      parameters: [],
      successes: [{ status: 200, content: { ...json, type: { kind: "number", integer: true } }, headers: [] }],
      failures: [],
      examples: [],
      links: [],
      relations: [],
      extensions,
    },
    {
      name: "deleteTip",
      origin: "DELETE /tip",
      method: "DELETE",
      path: "/tip",
      tags: [],
      parameters: [],
      successes: [{ status: 204, headers: [] }],
      failures: [],
      examples: [],
      links: [],
      relations: [],
      extensions,
    },
  ],
};

test("a target that does as described conforms, and is not asked to change anything", async () => {
  const methods = new Set<string>();
  const baseUrl = await serve((request, response) => {
    methods.add(request.method ?? "");
    if (request.url !== "/tip") response.writeHead(404, { "content-type": "application/json" }).end("{}");
    else response.writeHead(200, { "content-type": "application/json" }).end("7");
  });
  const report = await playSuite(suite, { baseUrl, seed: "00" });
  expect(report.cases.filter(({ verdict }) => verdict === "failed")).toEqual([]);
  expect(report).toMatchObject({ outcome: "conforms" });
  expect(report.totals.passed).toBeGreaterThan(0);
  expect(report.totals["not-sent"]).toBeGreaterThan(0);
  expect([...methods]).not.toContain("DELETE");
});
