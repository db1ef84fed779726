import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "./bytes.ts";
import { scriptNumber } from "./script-number.ts";
import { scriptOperations } from "./script-reader.ts";
import { numberPush, pushOf } from "./script-writer.ts";

describe("pushOf", () => {
  it.each([0, 1, 75, 76, 255, 256, 65_535, 65_536])("pushes %i bytes in one operation", (length) => {
    const bytes = new Uint8Array(length).fill(7);
    const operations = [...scriptOperations(pushOf(bytes))];
    expect(operations).toHaveLength(1);
    expect(toHex(operations[0]?.data ?? expect.unreachable())).toBe(toHex(bytes));
  });
});

describe("pushOf, in its shortest form,", () => {
  it.each([
    [0, "00"],
    [75, "4b"],
    [76, "4c4c"],
    [255, "4cff"],
    [256, "4d0001"],
    [65_535, "4dffff"],
    [65_536, "4e00000100"],
  ])("begins %i bytes with %s", (length, head) => {
    expect(toHex(pushOf(new Uint8Array(length).fill(7)))).toBe(`${head}${"07".repeat(length)}`);
  });
});

describe("numberPush", () => {
  it.each([
    [0, "00"],
    [1, "51"],
    [16, "60"],
    [-1, "4f"],
    [17, "0111"],
    [127, "017f"],
    [-2, "0182"],
    [-127, "01ff"],
    [255, "02ff00"],
    [256, "020001"],
    [-256, "020081"],
    [32_767, "02ff7f"],
    [128, "028000"],
    [-128, "028080"],
    [500_000, "0320a107"],
  ])("writes %i as %s", (value, hex) => {
    expect(toHex(numberPush(value))).toBe(hex);
  });

  it("writes what is read", () => {
    fc.assert(
      fc.property(fc.integer({ min: 17, max: 2 ** 31 - 1 }), (value) => {
        const [operation] = scriptOperations(numberPush(value));
        expect(scriptNumber(operation?.data ?? expect.unreachable())).toBe(value);
      }),
    );
  });
});
