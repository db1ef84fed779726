import { expect, test } from "vitest";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { roleOf } from "./parameter-roles.ts";

const integer: SuiteType = { kind: "number", integer: true };
const text: SuiteType = { kind: "string" };
const day: SuiteType = { kind: "string", format: "date" };
const book: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: integer, required: true },
    { name: "price", type: { kind: "number", integer: false }, required: true },
    { name: "genre", type: text, required: true },
    { name: "tags", type: { kind: "list", element: text }, required: false },
    { name: "published_on", type: day, required: true },
    { name: "author", type: { kind: "record", members: [] }, required: false },
  ],
};

function roleFor(name: string, type: SuiteType): string {
  const parameter: SuiteParameter = { name, property: name, location: "query", required: false, type };
  const list: SuiteType = { kind: "list", element: book };
  const operation: SuiteHttpOperation = {
    name: "listBooks",
    origin: "GET /books",
    method: "GET",
    path: "/books",
    tags: [],
    parameters: [parameter],
    successes: [{ status: 200, content: { mediaType: "application/json", form: "json", type: list }, headers: [] }],
    failures: [],
    examples: [],
    links: [],
    relations: [],
    marks: { disabledByDefault: false, nodeControl: false, units: 1 },
  };
  const role = roleOf(operation, parameter, {});
  return "member" in role && role.member !== undefined ? `${role.kind} ${role.member.name}` : role.kind;
}

test.each([
  ["limit", integer, "limit"],
  ["per_page", integer, "limit"],
  ["limit", text, "none"],
  ["offset", integer, "offset"],
  ["pageNumber", integer, "page"],
  ["starting_after", text, "cursor"],
  ["after_txid", text, "cursor"],
  ["sort_by", text, "sort"],
  ["order", { kind: "enumeration", values: ["asc", "desc"] }, "direction"],
  ["genre", text, "filter genre"],
  ["tag", text, "filter tags"],
  ["min_price", integer, "minimum price"],
  ["priceMax", integer, "maximum price"],
  ["includeAuthor", { kind: "boolean" }, "include author"],
  ["verbose", { kind: "boolean" }, "verbose"],
  ["published_after", day, "minimum published_on"],
  ["publishedBefore", day, "maximum published_on"],
  ["since", day, "minimum published_on"],
  ["until", day, "maximum published_on"],
  ["since", text, "none"],
  ["q", text, "none"],
] satisfies readonly (readonly [string, SuiteType, string])[])(
  "A parameter called %s is for what it is called after",
  (name, type, role) => {
    expect(roleFor(name, type)).toBe(role);
  },
);
