import fc from "fast-check";
import { expect, it } from "vitest";
import { writeAnswer } from "./answer-size.ts";
import { cpuMillisecondsOf } from "../../../../test/support/cpu-time.ts";

it("writes what JSON.stringify does, unless that is longer than the limit", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(200), fc.boolean(), (answer, limit, mayBeLong) => {
      const text = JSON.stringify(answer);
      const write = () => writeAnswer(answer, limit, mayBeLong);
      if (Buffer.byteLength(text) <= limit) expect(write()).toBe(text);
      else expect(write).toThrow(`longer than ${limit} bytes`);
    }),
  );
});

it("takes an answer that is just as long as it may be", () => {
  for (const answer of [{}, { a: "b" }, { a: ["b", "c"], d: [] }, { a: [1, null, true], b: {} }]) {
    expect(writeAnswer(answer, JSON.stringify(answer).length, true)).toBe(JSON.stringify(answer));
  }
});

it("refuses one long text under hundreds of names without writing it", () => {
  const text = "x".repeat(10_000_000);
  const answer = { data: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`a${index}`, text])) };
  const write = () => expect(() => writeAnswer(answer, 16_000_000, true)).toThrow("16000000");
  expect(cpuMillisecondsOf(write)).toBeLessThan(100);
});
