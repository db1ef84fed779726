import { expect, it } from "vitest";
import type { Report } from "../../contract/report.ts";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { RpcSuite } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { describedListener, MethodFailure, type Methods } from "./testing/described-server.ts";
import { describedMethod, describedSuite, failure, optional, required } from "./testing/described-suite.ts";

const whole: SuiteType = { kind: "number", integer: true, minimum: 1, maximum: 9 };
const sku: SuiteType = { kind: "string" };
const article: SuiteType = {
  kind: "record",
  members: [
    { name: "sku", type: sku, required: true },
    { name: "shelf", type: whole, required: true },
  ],
};
const articles = Array.from({ length: 9 }, (_, place) => ({ sku: `a${place + 1}`, shelf: place + 1 }));
const served = describedSuite("stock", [
  describedMethod("getArticles", { kind: "list", element: article }, [optional("shelf", whole)]),
  describedMethod("getArticle", article, [required("sku", sku)], { failures: [failure(-32001, "Not found")] }),
  describedMethod("getShelf", { kind: "list", element: sku }, [required("shelf", whole)]),
]);
/** The same suite without `paramStructure`: both ways of writing parameters are allowed. */
const silent: RpcSuite = {
  ...served,
  operations: served.operations.map(({ parameterStructure: _, ...method }) => method),
};
const methods: Methods = {
  getArticles: ({ shelf }) => articles.filter((one) => shelf === undefined || one.shelf === shelf),
  getArticle: ({ sku: wanted }) => {
    const found = articles.find((one) => one.sku === wanted);
    if (found === undefined) throw new MethodFailure(-32001, "Not found");
    return found;
  },
  getShelf: ({ shelf }) => articles.filter((one) => one.shelf === shelf).map((one) => one.sku),
};

async function play(suite: RpcSuite, served: Parameters<typeof describedListener>, strict = false): Promise<Report> {
  const baseUrl = await serve(describedListener(...served));
  return await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000, concurrency: 8, strict });
}

function rulesOf({ cases }: Report, verdict: string): readonly string[] {
  const found = cases.filter((one) => one.verdict === verdict).flatMap(({ findings }) => findings);
  return [...new Set(found.map(({ rule }) => rule))].toSorted();
}

it("warns of a target that takes names alone where the document is silent, and calls it by name", async () => {
  const report = await play(silent, [served, methods]);
  expect(rulesOf(report, "failed")).toEqual([]);
  expect(rulesOf(report, "warned")).toContain("J30");
  const calls = report.operations.find(({ operation }) => operation === "getShelf");
  expect(calls?.coverage["parameters"]?.seen).toEqual(["shelf"]);
});

it("finds the same when it looks at it again, though it knows then how to call the target", async () => {
  const report = await play(silent, [served, methods], true);
  expect(rulesOf(report, "failed")).toContain("J30");
  expect(rulesOf(report, "flaky")).toEqual([]);
});

it("fails a target that refuses its only way of writing parameters", async () => {
  const positional: RpcSuite = {
    ...served,
    operations: served.operations.map((method) => ({ ...method, parameterStructure: "by-position" })),
  };
  expect(rulesOf(await play(positional, [served, methods]), "failed")).not.toEqual([]);
});

it("sends no null for what is left out by position where the document does not allow it", async () => {
  const year: SuiteType = { kind: "number", integer: true };
  const filter: SuiteType = { kind: "record", members: [{ name: "shelf", type: year, required: false }] };
  const listing = describedMethod(
    "listArticles",
    { kind: "list", element: article },
    [optional("filter", filter), optional("limit", { ...whole, default: 5 })],
    { parameterStructure: "by-position" },
  );
  const suite = describedSuite("stock", [listing]);
  const list: Methods = { listArticles: ({ limit = 5 }) => articles.slice(0, Number(limit)) };
  const report = await play(suite, [suite, list]);
  expect([...rulesOf(report, "failed"), ...rulesOf(report, "warned")]).not.toContain("P013");
  expect(rulesOf(report, "failed")).toEqual([]);
  const wrong: Methods = { listArticles: ({ limit = 5 }) => articles.slice(0, Number(limit) + 1) };
  expect(rulesOf(await play(suite, [suite, wrong]), "warned")).toContain("P001");
});
