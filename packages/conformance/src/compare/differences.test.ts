import { describe, expect, test } from "vitest";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { differences, isSameValue } from "./differences.ts";

const none: SuiteTypes = {};

function member(name: string, type: SuiteType, isVolatile?: boolean): object {
  return { name, type, required: false, ...(isVolatile === undefined ? {} : { isVolatile }) };
}

function record(...members: readonly object[]): SuiteType {
  return { kind: "record", members } as SuiteType;
}

const text: SuiteType = { kind: "string" };

function reported(type: SuiteType | undefined, expected: unknown, actual: unknown): readonly string[] {
  return differences(type, expected, actual, none).map(({ steady, message }) => `${steady} ${message}`);
}

describe("Two values are the same", () => {
  test("when their numbers are, however they are held", () => {
    expect(reported(undefined, [1, 2n, 10], [1n, 2, JSON.parse("1e1")])).toEqual([]);
  });

  test("when their members stand in another order", () => {
    expect(reported(undefined, { a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
  });

  test("when only the served one has a further member, unless such are asked for", () => {
    expect(reported(undefined, { a: 1 }, { a: 1, b: 2 })).toEqual([]);
    expect(isSameValue(undefined, { a: 1 }, { a: 1, b: 2 }, none)).toBe(false);
  });

  test("when only members with volatile names differ", () => {
    const left = { hash: "aa", confirmations: 3, nextblockhash: null, last_seen: "1" };
    expect(reported(undefined, left, { hash: "aa", confirmations: 4, nextblockhash: "bb", last_seen: "2" })).toEqual(
      [],
    );
  });

  test("when only marked members differ, and then names say nothing", () => {
    const types: SuiteTypes = { Block: record(member("weight", text, true), member("confirmations", text)) };
    const type: SuiteType = { kind: "reference", target: "Block" };
    const found = differences(type, { weight: 1, confirmations: 1 }, { weight: 2, confirmations: 2 }, types);
    expect(found.map(({ steady }) => steady)).toEqual(["/confirmations"]);
  });
});

describe("A difference", () => {
  test("is told without values, and with them beside it", () => {
    const [found] = differences(undefined, { a: { b: 1 } }, { a: { b: 2 } }, none);
    expect(found).toMatchObject({ steady: "/a/b", message: "is another value", detail: "is 2 instead of 1" });
  });

  test("in an element of a list stands at no position", () => {
    expect(reported(undefined, [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }])).toEqual(["/*/a is another value"]);
  });

  test("in an entry of a map has no name that only the data knows", () => {
    const map = { kind: "record", members: [], additional: text } as SuiteType;
    expect(reported(map, { k1: "a" }, { k1: "b" })).toEqual(["/* is another value"]);
  });

  test("is a missing member, another kind of value, and another length", () => {
    expect(reported(undefined, { a: 1 }, {})).toEqual(["/a is missing"]);
    expect(reported(undefined, { a: 1 }, { a: "1" })).toEqual(["/a is another kind of value"]);
    expect(reported(undefined, { a: null }, { a: 0 })).toEqual(["/a is another kind of value"]);
    expect(reported(undefined, [1, 2], [1])).toEqual([" has fewer elements"]);
  });

  test("carries the place of what the description says there", () => {
    const type = record({ ...member("a", text), place: "7:3" });
    expect(differences(type, { a: "x" }, { a: "y" }, none)[0]?.place).toBe("7:3");
  });

  test("is looked for in bounded time in what nests deeply", () => {
    let left: unknown = 1;
    let right: unknown = 2;
    for (let depth = 0; depth < 5000; depth += 1) [left, right] = [[left], [right]];
    expect(differences(undefined, left, right, none)).toEqual([]);
  });
});
