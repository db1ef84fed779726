import { expect, test } from "vitest";
import { playSuite, replayCase } from "./play-suite.ts";
import { sendJson, serve } from "./testing/serve.ts";
import { httpOperation, httpSuite, integer, text } from "./testing/suites.ts";

const suite = httpSuite([
  httpOperation("listPets", "/pets", {
    kind: "list",
    element: { kind: "record", members: [{ name: "id", type: integer, required: true }] },
  }),
  httpOperation(
    "getPet",
    "/pets/{petId}",
    { kind: "record", members: [{ name: "name", type: text, required: true }] },
    { parameters: [{ name: "petId", property: "petId", location: "path", required: true, type: integer }] },
  ),
]);

test("a failure is played again with what its run had found, and hardly anything else is asked", async () => {
  let isBroken = true;
  let requested: string[] = [];
  const baseUrl = await serve(({ url = "" }, response) => {
    requested.push(url);
    if (url === "/pets") return sendJson(response, 200, [{ id: 4711 }]);
    if (url === "/pets/4711") return sendJson(response, 200, isBroken ? { name: 5 } : { name: "Rex" });
    return sendJson(response, 404, {});
  });
  const report = await playSuite(suite, { baseUrl, seed: "0a" });
  const failed = report.cases.find(
    ({ operation, group, verdict }) => operation === "getPet" && group === "live" && verdict === "failed",
  );
  expect(failed).toBeDefined();
  const id = failed?.id ?? "";
  requested = [];
  const again = await replayCase(report, suite, { baseUrl }, id);
  expect(again.cases.map((one) => [one.id, one.verdict])).toEqual([[id, "failed"]]);
  expect(again.cases[0]?.exchanges.at(-1)?.url).toBe(`${baseUrl}/pets/4711`);
  // The first operation is called to find out whether the target is available.
  expect(requested.filter((url) => url !== "/pets/4711")).toEqual(["/pets"]);
  isBroken = false;
  const mended = await replayCase(report, suite, { baseUrl }, id);
  expect(mended).toMatchObject({ outcome: "conforms", cases: [{ id, verdict: "passed" }] });
});

test("a report that kept no answers has its case played after what leads to it", async () => {
  const baseUrl = await serve(({ url = "" }, response) => {
    if (url === "/pets") return sendJson(response, 200, [{ id: 4711 }]);
    return sendJson(response, url === "/pets/4711" ? 200 : 404, { name: "Rex" });
  });
  const { replay: _, ...report } = await playSuite(suite, { baseUrl, seed: "0a" });
  const id = report.cases.find(({ operation, group }) => operation === "getPet" && group === "live")?.id ?? "";
  const again = await replayCase(report, suite, { baseUrl }, id);
  expect(again.cases).toMatchObject([{ id, verdict: "passed" }]);
});
