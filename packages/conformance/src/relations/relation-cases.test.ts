import { expect, test } from "vitest";
import type { Report } from "../contract/report.ts";
import { playSuite } from "../run/play-suite.ts";
import { sendJson, serve } from "../run/testing/serve.ts";
import { httpOperation, httpSuite } from "../run/testing/suites.ts";
import type { SuiteRelation } from "../suite/suite.ts";

/** Runs one relation against a server whose count and list may differ in length. */
async function play(relation: SuiteRelation, count: number, listed: readonly number[]): Promise<Report> {
  const suite = httpSuite([
    httpOperation("getCount", "/count", { kind: "any" }, { relations: [relation], place: "small.yaml:3:1" }),
    httpOperation("getList", "/list", { kind: "any" }),
    httpOperation("addItem", "/list", { kind: "any" }, { method: "POST" }),
  ]);
  const baseUrl = await serve((request, response) => {
    if (request.url === "/count") sendJson(response, 200, { count });
    else if (request.url === "/list" && request.method === "GET") sendJson(response, 200, listed);
    else sendJson(response, 404, {});
  });
  return playSuite(suite, { baseUrl, only: ["getCount/relation/same"], seed: "01", rate: 2_000 });
}

const same: SuiteRelation = {
  name: "same",
  holds: '$count($call("getList", {})) = count',
  because: "The count is that of the list.",
  place: "small.yaml:9:7",
};

test("a relation that holds passes", async () => {
  expect(await play(same, 2, [1, 2])).toMatchObject({ outcome: "conforms", totals: { passed: 1 } });
});

test("a relation that is broken fails with its reason and its place, and without values", async () => {
  const { cases, outcome } = await play(same, 2, [1]);
  expect(outcome).toBe("differs");
  expect(cases[0]).toMatchObject({
    id: "getCount/relation/same",
    verdict: "failed",
    findings: [
      {
        rule: "X01",
        message: 'The relation "same" does not hold: The count is that of the list.',
        place: "small.yaml:9:7",
      },
    ],
  });
});

test.each([
  ["asks what is not sent", '$call("addItem", {}) = count', "addItem is not sent"],
  ["asks an operation that is not there", '$call("getNothing", {}) = count', "no operation getNothing"],
  ["is not an expression", "count = (", "not a JSONata expression"],
  ["does not use the response", "total", "does not use the response"],
])("a relation that %s is skipped with the reason", async (_name, holds, reason) => {
  const { cases, notices } = await play({ name: "same", holds }, 2, [1, 2]);
  expect(cases[0]).toMatchObject({ verdict: "skipped", reason: expect.stringContaining(reason) });
  const isMistake = reason.startsWith("no");
  expect(notices.some((notice) => notice.includes('The relation "same" of getCount'))).toBe(isMistake);
});
