import { expect, test } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { Evidence } from "../session/coverage.ts";
import { announceSuite, recordCoverage, noteSeen } from "./coverage-of-suite.ts";
import { httpOperation, httpSuite, integer, text } from "./testing/suites.ts";

const node: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: integer, required: true },
    { name: "next", type: { kind: "reference", target: "Node" }, required: false },
    { name: "tag", type: { kind: "union", mode: "any-of", members: [text, integer] }, required: false },
  ],
};
const suite = httpSuite(
  [
    httpOperation(
      "getNode",
      "/nodes/{id}",
      { kind: "reference", target: "Node" },
      {
        parameters: [
          { name: "id", property: "id", location: "path", required: true, type: integer },
          { name: "deep", property: "deep", location: "query", required: false, type: { kind: "boolean" } },
        ],
        failures: [
          { name: "NotFound", status: 404, contents: [], headers: [] },
          { name: "Other", status: "5XX", contents: [], headers: [] },
        ],
      },
    ),
  ],
  { types: { Node: node } },
);

test("what a description has is unseen until it came by; a type that holds itself is counted once", () => {
  const evidence = new Evidence();
  announceSuite(evidence, suite);
  expect(evidence.coverageOf("getNode")).toEqual({
    parameters: { seen: [], unseen: ["id", "deep"] },
    statuses: { seen: [], unseen: ["200", "404", "5XX"] },
    members: { seen: [], unseen: ["/id", "/next", "/tag"] },
    arms: { seen: [], unseen: ["/tag (1, string)", "/tag (2, number)"] },
  });
});

test("what came by is seen, whatever else it brought", () => {
  const evidence = new Evidence();
  announceSuite(evidence, suite);
  const type: SuiteType = { kind: "reference", target: "Node" };
  noteSeen(evidence, suite, { operation: "getNode", input: { id: 1 }, type, value: { id: 1, tag: 7, more: true } });
  for (const status of [200, 503, 418]) {
    recordCoverage(evidence, suite, "getNode", {
      status,
      headers: new Map(),
      bytes: new Uint8Array(),
      text: "",
      isCut: false,
      milliseconds: 1,
    });
  }
  expect(evidence.coverageOf("getNode")).toEqual({
    parameters: { seen: ["id"], unseen: ["deep"] },
    statuses: { seen: ["200", "5XX", "418"], unseen: ["404"] },
    members: { seen: ["/id", "/tag"], unseen: ["/next"] },
    arms: { seen: ["/tag (2, number)"], unseen: ["/tag (1, string)"] },
  });
  expect(evidence.coverageOf("getPet")).toEqual({});
});
