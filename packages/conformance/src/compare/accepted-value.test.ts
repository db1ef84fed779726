import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { acceptedText } from "./accepted-value.ts";

const quantity: SuiteType = { kind: "string", pattern: "^0x[0-9a-f]+$" };
const limit: SuiteType = { kind: "number", integer: true, minimum: 1 };
const item: SuiteType = {
  kind: "record",
  members: [{ name: "limit", required: true, type: limit }],
};

describe("the clause about an accepted value", () => {
  it.each([
    [
      quantity,
      "0X1b4",
      '"0X1b4" was accepted; by the schema, it must match the pattern ^0x[0-9a-f]+$, which takes lower case only',
    ],
    [quantity, "0xzz", '"0xzz" was accepted; by the schema, it must match the pattern ^0x[0-9a-f]+$'],
    [quantity, 5, "5 was accepted; by the schema, it must be a string"],
    [limit, 0, "0 was accepted; by the schema, it must be at least 1"],
    [item, { limit: 0 }, '{"limit":0} was accepted; by the schema, /limit must be at least 1'],
    [limit, undefined, "it was accepted"],
  ])("names the value and what its schema requires", (type, value, text) => {
    expect(acceptedText(type, value, {})).toBe(text);
  });
});
