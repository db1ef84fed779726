import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, text } from "../../run/testing/suites.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

const member: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: text, required: true },
    { name: "name", type: text, required: true },
    { name: "fine", type: { kind: "number", integer: false }, required: true },
    { name: "motto", type: text, required: true },
  ],
};
const members = ["Ada Lovelace", "Emmy Noether", "Sofia Kowalewski"].map((name, index) => ({
  id: `member-${index}`,
  name,
  fine: 10.5 + index,
  motto: `Number ${index} of all`,
}));

const suite = httpSuite([
  httpOperation("getMember", "/members/{id}", member, {
    parameters: [{ name: "id", property: "id", location: "path", required: true, type: text }],
    failures: [{ name: "NotFound", status: 404, contents: [], headers: [] }],
    examples: members.map((value) => ({
      name: value.id,
      input: { id: value.id },
      outcome: { kind: "success", status: 200, value },
    })),
  }),
]);

function served(changes: (looks: number) => Readonly<Record<string, unknown>>) {
  let looks = 0;
  return ({ path }: TestRequest): TestResponse => {
    const found = members.find(({ id }) => path === `/members/${id}`);
    if (found === undefined) return { status: 404 };
    if (found.id !== "member-2") return { status: 200, body: found };
    looks += 1;
    return { status: 200, body: { ...found, ...changes(looks) } };
  };
}

describe("An object that an example shows", () => {
  test("may have got another number since it was written, and while the run goes on", async () => {
    expect(
      await failedRules(
        suite,
        served(() => ({ fine: 44.25 })),
      ),
    ).toEqual([]);
    expect(
      await failedRules(
        suite,
        served((looks) => ({ fine: 10 + looks })),
      ),
    ).not.toContain("P030");
  });

  test("is blamed for another name", async () => {
    expect(
      await failedRules(
        suite,
        served(() => ({ name: "Mary Somerville" })),
      ),
    ).toEqual(["P030"]);
  });
});
