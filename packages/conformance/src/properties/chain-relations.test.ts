import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { alikeProperty } from "./alike.ts";
import type { Input } from "./operation.ts";
import { headProperty, parentProperty } from "./chain.ts";
import { optional } from "./testing/check-operation.ts";
import { relationProblems, required } from "./testing/memory-operations.ts";

const integer: SuiteType = { kind: "number", integer: true };
const text: SuiteType = { kind: "string" };
const block: SuiteType = {
  kind: "record",
  members: [
    { name: "hash", type: text, required: true },
    { name: "height", type: integer, required: true },
    { name: "parentHash", type: text, required: true },
    { name: "miner", type: text, required: true },
  ],
};

const hashAt = (height: number): string => String(height + 1).padStart(64, "a");
const blockAt = (height: number, members: object = {}): object | undefined =>
  height > 7 ? undefined : { hash: hashAt(height), height, parentHash: hashAt(height - 1), miner: "Ada", ...members };

const getBlock = {
  name: "getBlock",
  typeNames: "blocks",
  isOfOne: true,
  parameters: [required("hash", text)],
  result: block,
  inputs: [{ hash: hashAt(5) }],
  returns: ({ hash }: Input) => blockAt(Number(String(hash).replaceAll("a", "")) - 1),
};

describe("a parent", () => {
  it("is found one place below its child", async () => {
    expect(await relationProblems(parentProperty, getBlock)).toEqual([]);
    const skipping = {
      ...getBlock,
      returns: (input: Input) => ({ ...getBlock.returns(input), parentHash: hashAt(3) }),
    };
    expect(await relationProblems(parentProperty, skipping)).toEqual(["the parent is not one place below its child"]);
    const lost = { ...getBlock, returns: ({ hash }: Input) => (hash === hashAt(5) ? blockAt(5) : undefined) };
    expect(await relationProblems(parentProperty, lost)).toEqual(["the parent is not there"]);
  });
});

describe("a head", () => {
  const byHeight = {
    ...getBlock,
    name: "getBlockAt",
    parameters: [required("height", integer)],
    inputs: [{ height: 2 }],
    returns: ({ height }: Input) => blockAt(Number(height)),
  };
  const headAt = (height: number) => ({
    name: "getTipHeight",
    parameters: [],
    result: integer,
    inputs: [{}],
    returns: () => height,
  });

  it("is the last height at which something is", async () => {
    expect(await relationProblems(headProperty, byHeight, headAt(7))).toEqual([]);
    expect(await relationProblems(headProperty, byHeight, headAt(6))).toEqual([]);
    expect(await relationProblems(headProperty, byHeight, headAt(9))).toEqual([
      "getBlockAt finds nothing at the height that is reported",
    ]);
    expect(await relationProblems(headProperty, byHeight, headAt(2))).toEqual([
      "it is far below heights at which getBlockAt finds something",
    ]);
  });
});

describe("an object in several results", () => {
  const listBlocks = (members: (input: Input) => object) => ({
    name: "listBlocks",
    typeNames: "blocks",
    parameters: [optional("limit", integer)],
    result: { kind: "list", element: block } as const,
    inputs: [{}, { limit: 5 }],
    returns: (input: Input) => [1, 2, 3].map((height) => blockAt(height, members(input))),
  });

  it("is the same in each of them", async () => {
    expect(
      await relationProblems(
        alikeProperty,
        listBlocks(() => ({})),
      ),
    ).toEqual([]);
    const other = listBlocks(({ limit }) => (limit === 5 ? { miner: "Bob" } : {}));
    expect(await relationProblems(alikeProperty, other)).toEqual([
      "/miner is another in different results about the same object",
    ]);
  });

  it("may change between them", async () => {
    let calls = 0;
    const moving = listBlocks(() => {
      calls += 1;
      return { miner: `Miner ${Math.floor(calls / 3)}` };
    });
    expect(await relationProblems(alikeProperty, moving)).toEqual([]);
  });
});
