import { expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import { httpOperation, httpSuite, text } from "../../run/testing/suites.ts";
import type { SuiteParameter } from "../../suite/suite.ts";

const kind: SuiteParameter = { name: "kind", property: "kind", location: "query", required: false, type: text };
const suite = httpSuite([
  httpOperation("listShelves", "/shelves", text, { parameters: [kind] }),
  httpOperation("getStock", "/stock", text),
]);

async function found(document: string | undefined, path = "/openapi.json") {
  const baseUrl = await serve((request, response) => {
    const url = request.url?.split("?")[0];
    const body = url === path ? document : url === "/shelves" || url === "/stock" ? '"a"' : undefined;
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  const { cases } = await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8 });
  const one = cases.find(({ id }) => id.endsWith("/served-description"));
  return [one?.verdict, ...(one?.findings.map(({ rule, message }) => `${rule} ${message}`) ?? [])];
}

const stock = { get: {} };
const shelves = { get: { parameters: [{ $ref: "#/components/parameters/Kind" }] } };
const components = { parameters: { Kind: { name: "kind", in: "query" } } };

function documentOf(paths: Record<string, unknown>): string {
  return JSON.stringify({ openapi: "3.1.0", paths, components });
}

it("skips a target that serves no description of itself", async () => {
  expect(await found(undefined)).toEqual(["skipped"]);
  expect(await found("<html>")).toEqual(["skipped"]);
});

it("accepts a description with these operations and more, under a common prefix", async () => {
  expect(await found(documentOf({ "/v1/shelves": shelves, "/v1/stock": stock, "/v1/x": {} }))).toEqual(["passed"]);
});

it("says nothing of the description of another interface", async () => {
  expect(await found(documentOf({ "/cats": stock, "/dogs": stock }))).toEqual(["passed"]);
});

it("reads YAML", async () => {
  const document = "openapi: 3.0.3\npaths:\n  /shelves: { get: { parameters: [] } }\n  /stock: { get: {} }\n";
  const message = "H411 the description that the target serves lacks the parameter kind, of GET /shelves";
  expect(await found(document, "/openapi.yaml")).toEqual(["warned", message]);
});

it.each([
  ["a path that is missing", { "/shelves": shelves }, "lacks the path, of GET /stock"],
  ["a method that is missing", { "/shelves": shelves, "/stock": { put: {} } }, "lacks the method, of GET /stock"],
  [
    "a further required parameter",
    { "/shelves": shelves, "/stock": { get: { parameters: [{ name: "day", in: "query", required: true }] } } },
    "requires a further parameter, day, of GET /stock",
  ],
])("warns of %s", async (_what, paths, message) => {
  expect(await found(documentOf(paths))).toEqual(["warned", `H411 the description that the target serves ${message}`]);
});
