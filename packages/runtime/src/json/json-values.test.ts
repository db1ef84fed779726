import { expect, it } from "vitest";
import { countJsonValues } from "./json-values.ts";
import { cpuMillisecondsOf } from "../../../../test/support/cpu-time.ts";

it.each([
  ["1", 0],
  ["[]", 1],
  ['{"a":1,"b":[1,2,3]}', 5],
  ['{"a,[{":",,,\\",,"}', 1],
])("counts the values of %s", (text, values) => {
  expect(countJsonValues(text)).toBe(values);
});

it("takes time in proportion to the text", () => {
  const count = () => {
    for (const text of ['"'.repeat(1_000_000), '"\\"'.repeat(300_000), ",".repeat(1_000_000)]) countJsonValues(text);
  };
  expect(cpuMillisecondsOf(count)).toBeLessThan(2_000);
});
