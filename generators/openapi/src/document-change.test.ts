import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChangedMember, findPathChange, type PathChange } from "./document-change.ts";
import { outlineText } from "./testing/outline-text.ts";

const paths = {
  "/pets": {
    summary: "Pets.",
    get: { operationId: "listPets", responses: { 204: { description: "Done." } } },
    post: { operationId: "addPet", responses: { 204: { description: "Done." } } },
    "x-team": "birds",
  },
  "/owners": { get: { operationId: "listOwners", deprecated: false, responses: {} } },
};
const components = { schemas: { Pet: { type: "object" } } };

type Paths = Readonly<Record<string, unknown>>;

function textOf(changed: Paths = {}, others: object = {}): string {
  return JSON.stringify({ openapi: "3.1.0", ...others, paths: { ...paths, ...changed }, components });
}

function changeOf(before: string, after: string): PathChange {
  const change = findPathChange(before, after, outlineText(before));
  if ("doubt" in change) throw new Error(change.doubt);
  return change;
}

/** Returns the values of members in both texts, by name. */
function valuesOf(members: readonly ChangedMember[], before: string, after: string): unknown {
  return Object.fromEntries(
    members.map((member) => [
      member.name,
      [
        JSON.parse(before.slice(member.before.start, member.before.end)),
        JSON.parse(after.slice(member.after.start, member.after.end)),
      ],
    ]),
  );
}

const { get, post, summary } = paths["/pets"];
const longer = { operationId: "listAllPets", responses: {} };
const listOwners = paths["/owners"].get;

interface Case {
  readonly what: string;
  readonly now: Paths;
  readonly path: string;
  readonly operations: object;
  readonly shared?: object;
  readonly others?: object;
}

const pets = (changed: object): Paths => ({ "/pets": { ...paths["/pets"], ...changed } });
const same = { summary: [summary, summary], "x-team": ["birds", "birds"] };

const cases: readonly Case[] = [
  {
    what: "an operation that another follows",
    now: pets({ get: longer }),
    path: "/pets",
    operations: { get: [get, longer] },
    shared: same,
    others: { post: [post, post] },
  },
  {
    what: "the last operation of a path",
    now: pets({ post: longer }),
    path: "/pets",
    operations: { post: [post, longer] },
    shared: same,
    others: { get: [get, get] },
  },
  {
    what: "both operations of a path",
    now: pets({ get: longer, post: longer }),
    path: "/pets",
    operations: { get: [get, longer], post: [post, longer] },
    shared: same,
  },
  {
    what: "what the operations of a path share",
    now: pets({ summary: "Dogs" }),
    path: "/pets",
    operations: { get: [get, get], post: [post, post] },
    shared: { ...same, summary: [summary, "Dogs"] },
  },
  {
    what: "an operation and what it shares with others",
    now: pets({ post: longer, "x-team": "all" }),
    path: "/pets",
    operations: { get: [get, get], post: [post, longer] },
    shared: { ...same, "x-team": ["birds", "all"] },
  },
  {
    what: "the only operation of the last path",
    now: { "/owners": { get: longer } },
    path: "/owners",
    operations: { get: [listOwners, longer] },
  },
  {
    what: "one literal of an operation",
    now: { "/owners": { get: { ...listOwners, deprecated: true } } },
    path: "/owners",
    operations: { get: [listOwners, { ...listOwners, deprecated: true }] },
  },
  {
    what: "a repetition of what stands before it",
    now: { "/owners": { get: { ...listOwners, operationId: "listOwnersers" } } },
    path: "/owners",
    operations: { get: [listOwners, { ...listOwners, operationId: "listOwnersers" }] },
  },
];

describe("findPathChange", () => {
  describe.each(cases)("with a change of $what", ({ now, path, operations, shared = {}, others = {} }) => {
    const texts = [textOf(), textOf(now)] as const;

    it.each([
      ["there", ...texts],
      ["and back", texts[1], texts[0]],
    ])("finds the members of the one path item, %s", (way, before, after) => {
      const change = changeOf(before, after);
      const read = (members: readonly ChangedMember[]): unknown =>
        way === "there" ? valuesOf(members, before, after) : valuesOf(members.map(turned), after, before);
      expect(change.path).toBe(path);
      expect(change.delta).toBe(after.length - before.length);
      const item = JSON.parse(before).paths[path];
      expect(JSON.parse(before.slice(change.start, change.end))).toEqual(item);
      expect(JSON.parse(after.slice(change.start, change.end + change.delta))).toEqual(JSON.parse(after).paths[path]);
      expect([...change.operations, ...change.shared, ...change.others].map(({ name }) => name).toSorted()).toEqual(
        Object.keys(item).toSorted(),
      );
      expect(read(change.operations)).toEqual(operations);
      expect(read(change.shared)).toEqual(shared);
      expect(read(change.others)).toEqual(others);
    });
  });

  it.each([
    ["more than one path changed", "the version changed", textOf(), textOf({}, { openapi: "3.1.1" })],
    ["more than one path changed", "two paths changed", textOf(), textOf({ ...pets({ get: longer }), "/owners": {} })],
    ["more than one path changed", "a component changed", textOf(), textOf().replace('"object"', '"string"')],
    ["more than one path changed", "a path comes", textOf(), textOf({ "/dogs": {} })],
    ["more than one path changed", "a path goes", textOf({ "/dogs": {} }), textOf()],
    ["more than one path changed", "a path is called otherwise", textOf(), textOf().replace("/owners", "/people")],
    ["more than one path changed", "a path item is no longer an object", textOf(), textOf({ "/owners": [1] })],
    [
      "more than one path changed",
      "a path item becomes an object",
      textOf({ "/owners": 1 }),
      textOf({ "/owners": {} }),
    ],
    [
      "the path item cannot be read separately",
      "a member stands twice",
      textOf(),
      textOf().replace('"deprecated":false', '"deprecated":false,"deprecated":true'),
    ],
    [
      "the path item cannot be read separately",
      "a member stood twice",
      textOf().replace('"deprecated":false', '"deprecated":false,"deprecated":true'),
      textOf(),
    ],
    [
      "the path item cannot be read separately",
      "it is no JSON any longer",
      textOf(),
      textOf().replace('"deprecated":false', '"deprecated":no'),
    ],
    ["members of a path come or go", "an operation comes", textOf(), textOf(pets({ put: longer }))],
    ["members of a path come or go", "an operation goes", textOf(pets({ put: longer })), textOf()],
    ["members of a path come or go", "the first operation comes", textOf({ "/owners": {} }), textOf()],
    ["members of a path come or go", "a method is another", textOf(), textOf().replace('"get"', '"put"')],
    [
      "members of a path come or go",
      "operations change places",
      textOf({ "/pets": { get, post } }),
      textOf({ "/pets": { post, get } }),
    ],
    [
      "members of a path come or go",
      "the names are the same when put together",
      textOf({ "/owners": { a: 1, bc: 2 } }),
      textOf({ "/owners": { ab: 1, c: 2 } }),
    ],
    [
      "something refers to other things than components",
      "an operation refers to another file",
      textOf(),
      textOf(pets({ get: { ...get, parameters: [{ $ref: "other.json" }] } })),
    ],
    [
      "something refers to other things than components",
      "what is shared refers to another path",
      textOf(),
      textOf(pets({ summary: { $ref: "#/paths/~1owners" } })),
    ],
    [
      "the path item stands elsewhere",
      "the path item refers to another",
      textOf({ "/owners": { $ref: "#/components/pathItems/a", get } }),
      textOf({ "/owners": { $ref: "#/components/pathItems/a", get: longer } }),
    ],
    [
      "the path item stands elsewhere",
      "it has operations of other methods",
      textOf({ "/owners": { get, additionalOperations: {} } }),
      textOf({ "/owners": { get: longer, additionalOperations: {} } }),
    ],
    ["no operation changed", "only white space changed", textOf(), textOf().replace('"get":', '"get": ')],
    ["no operation changed", "there is no operation", textOf({ "/a": { "x-a": 1 } }), textOf({ "/a": { "x-a": 2 } })],
  ])("doubts that %s where %s", (doubt, _what, before, after) => {
    expect(findPathChange(before, after, outlineText(before))).toEqual({ doubt });
  });

  it("finds nothing in a document that did not change", () => {
    const { doubt } = findPathChange(textOf(), textOf(), outlineText(textOf())) as { readonly doubt: string };
    expect(doubt).toBe("more than one path changed");
  });

  it("says of an unchanged member where it is in the other text", () => {
    const [before, after] = [textOf(), textOf(pets({ get: longer }))];
    const { others, delta } = changeOf(before, after);
    const [member] = others;
    expect(member?.after.start).toBe((member?.before.start ?? 0) + delta);
    expect(member?.after.end).toBe((member?.before.end ?? 0) + delta);
  });

  it("finds every change of a text in an operation, however alike its surroundings are", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "b", '"'), maxLength: 12 });
    const property = fc.property(texts, texts, (description, now) => {
      fc.pre(description !== now);
      const described = (text: string): string => textOf(pets({ get: { ...get, description: text } }));
      const [before, after] = [described(description), described(now)];
      const { operations, path } = changeOf(before, after);
      expect(path).toBe("/pets");
      expect(valuesOf(operations, before, after)).toEqual({
        get: [
          { ...get, description },
          { ...get, description: now },
        ],
      });
    });
    fc.assert(property, { numRuns: 300 });
  });
});

function turned({ name, before, after }: ChangedMember): ChangedMember {
  return { name, before: after, after: before };
}
