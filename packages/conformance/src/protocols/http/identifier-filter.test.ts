import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, text } from "../../run/testing/suites.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

const commits = Array.from({ length: 7 }, (_, place) => ({ sha: `c${(place * 5) % 7}`, subject: `Change ${place}` }));
const suite = httpSuite([
  httpOperation(
    "listCommits",
    "/commits",
    {
      kind: "list",
      element: {
        kind: "record",
        members: [
          { name: "sha", type: text, required: true },
          { name: "subject", type: text, required: true },
        ],
      },
    },
    { parameters: [{ name: "sha", property: "sha", location: "query", required: false, type: text }] },
  ),
]);

/** Creates a server that lists what `choose` returns for the position of the named commit. */
function serving(choose: (start: number) => readonly object[]): (requested: TestRequest) => TestResponse {
  return ({ path, query }) => {
    if (path !== "/commits") return { status: 404 };
    const named = query.get("sha");
    const start = commits.findIndex(({ sha }) => sha === named);
    return { status: 200, body: named === null ? commits : start === -1 ? [] : choose(start) };
  };
}

describe("A parameter that is called like an identifier of the elements", () => {
  test("may choose the element that it names", async () => {
    expect(
      await failedRules(
        suite,
        serving((start) => commits.slice(start, start + 1)),
      ),
    ).toEqual([]);
  });

  test("may say with which element the list starts", async () => {
    expect(
      await failedRules(
        suite,
        serving((start) => commits.slice(start)),
      ),
    ).toEqual([]);
  });

  test("is blamed where it changes nothing", async () => {
    expect(
      await failedRules(
        suite,
        serving(() => commits),
      ),
    ).toContain("P004");
  });

  test("is blamed where the list has another element besides the named one", async () => {
    expect(
      await failedRules(
        suite,
        serving((start) => [...commits.slice(start, start + 1), commits[0] ?? {}]),
      ),
    ).toContain("P004");
  });
});
