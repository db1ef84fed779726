import { describe, expect, it } from "vitest";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import { integer, text } from "../../run/testing/suites.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { MethodFailure, describedListener } from "./testing/described-server.ts";
import { describedMethod, describedSuite, failure, required } from "./testing/described-suite.ts";
import { blamedRules } from "../../testing/blamed-cases.ts";

const book: SuiteType = { kind: "reference", target: "Book" };
const members = { id: integer, title: text, pages: integer };
const suite = describedSuite(
  "books",
  [
    describedMethod("getnewestbook", book, []),
    describedMethod("getbook", book, [required("id", integer)], { failures: [failure(-7, "Book not found")] }),
  ],
  {
    Book: {
      kind: "record",
      members: Object.entries(members).map(([name, type]) => ({ name, type, required: true })),
    },
  },
);
const books = Array.from({ length: 60 }, (_none, index) => ({
  id: index + 1,
  title: `Book ${index}`,
  pages: 90 + index,
}));

/** Returns the rules that a server violates with this newest book. */
async function failed(newest: () => unknown): Promise<readonly string[]> {
  const getbook = ({ id }: Readonly<Record<string, unknown>>): unknown => {
    const found = books.find((one) => one.id === id);
    if (found === undefined) throw new MethodFailure(-7, "Book not found");
    return found;
  };
  const baseUrl = await serve(describedListener(suite, { getnewestbook: newest, getbook }));
  return blamedRules(await playSuite(suite, { baseUrl, seed: "5eed", rate: 10_000 }));
}

describe("a method that is documented to return one object", () => {
  it("returns the object that is found under its identifier", async () => {
    expect(await failed(() => books.at(-1))).toEqual([]);
    expect(await failed(() => ({ ...books.at(-1), title: "Another one" }))).toEqual(["P023"]);
    expect(await failed(() => ({ ...books.at(-1), id: 977 }))).toEqual(["P024"]);
  });

  it("may return another object each time", async () => {
    let looks = 0;
    const next = (): unknown => {
      looks += 1;
      return books[looks % books.length];
    };
    expect(await failed(next)).toEqual([]);
  });
});
