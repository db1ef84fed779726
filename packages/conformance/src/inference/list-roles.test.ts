import { expect, test } from "vitest";
import { isTooMany } from "./list-roles.ts";

test.each([
  ["count", 2_147_483_647, 2_147_483_647, true],
  ["count", 2_147_483_647, 50, false],
  ["limit", undefined, 51, true],
  ["limit", 2_500, 2_500, false],
  ["height", 2_147_483_647, 2_147_483_647, false],
])("%s up to %s: whether %s are too many is %s", (name, maximum, value, expected) => {
  const type = { kind: "number", integer: true, ...(maximum === undefined ? {} : { maximum }) } as const;
  expect(isTooMany({ name, property: name, required: false, type }, value, {})).toBe(expected);
});
