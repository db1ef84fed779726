import fc from "fast-check";
import { expect, it } from "vitest";
import { writeResponse } from "./response-size.ts";
import { cpuMillisecondsOf } from "../../../../test/support/cpu-time.ts";

it("writes what JSON.stringify does, unless that is longer than the limit", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(200), fc.boolean(), (response, limit, mayBeLong) => {
      const text = JSON.stringify(response);
      const write = () => writeResponse(response, limit, mayBeLong);
      if (Buffer.byteLength(text) <= limit) expect(write()).toBe(text);
      else expect(write).toThrow(`longer than ${limit} bytes`);
    }),
  );
});

it("takes a response that is just as long as it may be", () => {
  for (const response of [{}, { a: "b" }, { a: ["b", "c"], d: [] }, { a: [1, null, true], b: {} }]) {
    expect(writeResponse(response, JSON.stringify(response).length, true)).toBe(JSON.stringify(response));
  }
});

it("refuses one long text under hundreds of names without writing it", () => {
  const text = "x".repeat(10_000_000);
  const response = { data: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`a${index}`, text])) };
  const write = () => expect(() => writeResponse(response, 16_000_000, true)).toThrow("16000000");
  expect(cpuMillisecondsOf(write)).toBeLessThan(100);
});
