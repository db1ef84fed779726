import { expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import { describedListener } from "./testing/described-server.ts";
import { describedMethod, describedSuite, optional, required } from "./testing/described-suite.ts";

const text = { kind: "string" } as const;
const suite = describedSuite("stock", [
  describedMethod("getShelf", text, [required("shelf", text, { examples: ["a"] }), optional("depth", text)]),
  describedMethod("getStock", text, []),
]);
const served = describedSuite("stock", [...suite.operations, describedMethod("rpc.discover", { kind: "any" }, [])]);

const shelf = { name: "shelf", required: true, schema: { type: "string" } };
const depth = { name: "depth", schema: { type: "string" } };

async function found(document: unknown) {
  const own = { getShelf: () => "a", getStock: () => "b" };
  const methods = document === undefined ? own : { ...own, "rpc.discover": () => document };
  const baseUrl = await serve(describedListener(served, methods));
  const { cases } = await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8 });
  const one = cases.find(({ id }) => id.endsWith("/discovery"));
  return [one?.verdict, ...(one?.findings.map(({ rule, message }) => `${rule} ${message}`) ?? [])];
}

function documentOf(...methods: readonly unknown[]) {
  return { openrpc: "1.3.2", info: {}, methods, components: { contentDescriptors: { Depth: depth }, params: {} } };
}

it("skips a target that does not offer rpc.discover", async () => {
  expect(await found(undefined)).toEqual(["skipped"]);
});

it("accepts a document with these methods and more, references resolved", async () => {
  const params = [shelf, { $ref: "#/components/contentDescriptors/Depth" }];
  const document = documentOf({ name: "getShelf", params }, { name: "getStock" }, { name: "other" });
  expect(await found(document)).toEqual(["passed"]);
});

it.each([
  ["a method that is missing", documentOf({ name: "getShelf", params: [shelf, depth] }), "lacks the method getStock"],
  [
    "a parameter of another name",
    documentOf({ name: "getShelf", params: [shelf, { ...depth, name: "deep" }] }, { name: "getStock" }),
    "lacks the parameter depth, of getShelf",
  ],
  [
    "a parameter that is optional there",
    documentOf({ name: "getShelf", params: [{ ...shelf, required: false }, depth] }, { name: "getStock" }),
    "says that the parameter shelf is optional, of getShelf",
  ],
  [
    "a further required parameter",
    documentOf({ name: "getShelf", params: [shelf, depth] }, { name: "getStock", params: [shelf] }),
    "requires a further parameter, shelf, of getStock",
  ],
])("warns of %s", async (_what, document, message) => {
  expect(await found(document)).toEqual(["warned", `J95 the document that rpc.discover returns ${message}`]);
});

it("warns of what is no document", async () => {
  expect(await found({ methods: [] })).toEqual(["warned", "J95 the result of rpc.discover is not an OpenRPC document"]);
});
