import { expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { describedListener } from "./testing/described-server.ts";
import { describedMethod, describedSuite, optional, required } from "./testing/described-suite.ts";

const text: SuiteType = { kind: "string" };
const milliseconds: SuiteType = { kind: "number", integer: true, minimum: 0, maximum: 100_000 };
const shown = {
  name: "one",
  input: { place: "a", timeout: 20 },
  outcome: { kind: "success", status: 200, value: "a" },
} as const;

it("does not let calls wait that wait for something, but for those that the document shows", async () => {
  const suite = describedSuite("desk", [
    describedMethod("getnews", text, [optional("max_wait", milliseconds)]),
    describedMethod("getplace", text, [required("place", text), optional("timeout", milliseconds)], {
      examples: [shown],
    }),
    // A string is not a time to wait, despite its name.
    describedMethod("gettimeout", text, [required("timeout", text)]),
  ]);
  const waits: unknown[] = [];
  const found: unknown[] = [];
  const wait = (milliseconds: unknown, result: unknown): unknown => {
    waits.push(milliseconds);
    return result;
  };
  const listener = describedListener(suite, {
    getnews: (input) => wait(input["max_wait"], "news"),
    getplace: (input) => wait(input["timeout"], input["place"]),
    gettimeout: (input) => {
      found.push(input["timeout"]);
      return "found";
    },
  });

  const { cases } = await playSuite(suite, { baseUrl: await serve(listener), seed: "5eed", rate: 10_000 });

  expect(cases.filter(({ verdict }) => verdict === "failed")).toEqual([]);
  expect(new Set(waits)).toEqual(new Set([1, 20]));
  expect(found.length).toBeGreaterThan(1);
  expect(found).not.toContain(1);
});
