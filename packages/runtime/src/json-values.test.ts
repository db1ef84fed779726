import { expect, it } from "vitest";
import { countJsonValues } from "./json-values.ts";

it.each([
  ["1", 0],
  ["[]", 1],
  ['{"a":1,"b":[1,2,3]}', 5],
  ['{"a,[{":",,,\\",,"}', 1],
])("counts the values of %s", (text, values) => {
  expect(countJsonValues(text)).toBe(values);
});

it("takes time in proportion to the text", () => {
  const start = performance.now();
  for (const text of ['"'.repeat(1_000_000), '"\\"'.repeat(300_000), ",".repeat(1_000_000)]) countJsonValues(text);
  expect(performance.now() - start).toBeLessThan(500);
});
