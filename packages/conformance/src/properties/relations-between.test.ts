import { describe, expect, it } from "vitest";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { brokenRelations, type MemoryOperation, required } from "./testing/memory-operations.ts";

const text: SuiteType = { kind: "string" };
const integer: SuiteType = { kind: "number", integer: true };
const block: SuiteType = { kind: "reference", target: "Block" };
const types: SuiteTypes = {
  Block: {
    kind: "record",
    members: Object.entries({ hash: text, height: integer, size: integer, views: integer }).map(([name, type]) => ({
      name,
      type,
      required: true,
      ...(name === "views" ? { isVolatile: true } : {}),
    })),
  },
};

interface Block {
  readonly hash: string;
  readonly height: number;
  readonly size: number;
  readonly views: number;
}

const blocks: readonly Block[] = Array.from({ length: 4 }, (_none, height) => ({
  hash: `${height}abcdef0123456789abcdef`,
  height,
  size: 100 + height,
  views: height,
}));

/** Returns a lookup by hash, a list, and an operation that returns the hash at a height. */
function chain(
  change: {
    readonly found?: (block: Block) => unknown;
    readonly listed?: (block: Block) => unknown;
    readonly hashAt?: (height: number) => unknown;
  } = {},
): readonly MemoryOperation[] {
  const { found = (one) => one, listed = (one) => one, hashAt = (height) => blocks[height]?.hash } = change;
  const parameter = (name: string, type: SuiteType) => ({ name, property: name, type, required: true });
  return [
    {
      name: "getBlock",
      typeNames: "blocks",
      key: "hash",
      parameters: [parameter("hash", text)],
      result: block,
      inputs: [{ hash: blocks[0]?.hash }],
      returns: ({ hash }) => {
        const one = blocks.find((other) => other.hash === hash);
        return one === undefined ? undefined : found(one);
      },
    },
    {
      name: "listBlocks",
      typeNames: "blocks",
      result: { kind: "list", element: block },
      inputs: [{}],
      returns: () => blocks.map(listed),
    },
    {
      name: "getHash",
      parameters: [parameter("height", integer)],
      result: text,
      inputs: [{ height: 2 }],
      returns: ({ height }) => hashAt(Number(height)),
    },
  ];
}

const problems = async (operations: readonly MemoryOperation[]) =>
  await brokenRelations(operations.map((one) => ({ ...one, types })));

describe("an object within another result", () => {
  it("is the same as when it is called for by its identifier, but for what is volatile", async () => {
    expect(await problems(chain({ listed: (one) => ({ ...one, views: 77 }) }))).toEqual([]);
    const other = chain({ listed: (one) => (one.height === 3 ? { ...one, size: 7 } : one) });
    expect(await problems(other)).toEqual(["P023 /size differs from that of the same object in listBlocks"]);
  });

  it("may have fewer members than the object has alone", async () => {
    const short = chain({ listed: ({ hash, height }) => ({ hash, height }) });
    expect(await problems(short)).toEqual([]);
  });

  it("is found by its identifier", async () => {
    const lost = chain({ found: (one) => (one.height === 3 ? undefined : one) });
    expect(await problems(lost)).toEqual(["P024 getBlock does not find an object that listBlocks returns"]);
  });

  it("is not compared where it moves by itself", async () => {
    let calls = 0;
    const moving = chain({
      listed: (one) => {
        calls += 1;
        return { ...one, size: calls };
      },
    });
    expect(await problems(moving)).toEqual([]);
  });
});

describe("what an operation names", () => {
  it("is found with what the operation was called with", async () => {
    expect(await problems(chain({ hashAt: (height) => blocks[height + 1]?.hash }))).toEqual([
      "P020 the object that getBlock returns has another height",
    ]);
  });

  it("is found at all", async () => {
    const unknown = chain({ hashAt: () => "9abcdef0123456789abcdef" });
    expect(await problems(unknown)).toEqual(["P024 getBlock does not find the object that the result refers to"]);
  });

  it("is of the type that the other operation returns, where it has an id of its own", async () => {
    const recordOf = (name: string): SuiteType => ({
      kind: "record",
      members: Object.entries({
        __typename: { kind: "enumeration", values: [name] } as const,
        id: text,
        name: text,
      }).map(([member, type]) => ({ name: member, type, required: true })),
    });
    const named = (target: string): SuiteType => ({ kind: "reference", target });
    const search = async (found: Record<"__typename" | "id" | "name", string>): Promise<readonly string[]> => {
      const kitchen: SuiteTypes = {
        Author: recordOf("Author"),
        Recipe: recordOf("Recipe"),
        Found: { kind: "union", mode: "any-of", members: [named("Author"), named("Recipe")] },
      };
      const soup = { __typename: "Recipe", id: "recipe-1", name: "Soup" };
      return await brokenRelations([
        {
          name: "recipe",
          parameters: [required("id", text)],
          result: named("Recipe"),
          types: kitchen,
          inputs: [{ id: soup.id }],
          returns: ({ id }) => (id === soup.id ? soup : undefined),
        },
        {
          name: "search",
          parameters: [required("name", text)],
          result: named("Found"),
          types: kitchen,
          inputs: [{ name: "Eve" }],
          returns: ({ name }) => [found, soup].find((one) => one.name === name),
        },
      ]);
    };
    expect(await search({ __typename: "Author", id: "author-5", name: "Eve" })).toEqual([]);
    expect(await search({ __typename: "Recipe", id: "recipe-9", name: "Eve" })).toContain(
      "P024 recipe does not find the object that the result refers to",
    );
  });
});
