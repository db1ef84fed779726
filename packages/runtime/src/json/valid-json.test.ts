import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readValidJson } from "./valid-json.ts";
import { cpuMillisecondsOf } from "../../../../test/support/cpu-time.ts";

const texts = fc
  .tuple(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 1, "\t", "\r\n "))
  .map(([value, space]) => JSON.stringify(value, undefined, space));

describe("readValidJson", () => {
  it("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(readValidJson(text, Number)).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ' { "a" : [ 1 , 2 ] , "b" : { } , "c" : [ ] } ',
    '{"a":1,"b":2,"a":3}',
    '{"__proto__":{"a":1},"constructor":null,"2":0,"1":0}',
    '["\\u00e9\\ud83d\\ude00\\"\\\\","\\\\","\\"",""]',
    '"\\ud800"',
    "-0",
    "1e400",
    "true",
    "[[[[]]],{}]",
  ])("reads what JSON.parse reads: %s", (text) => {
    const value = readValidJson(text, Number);
    expect(value).toStrictEqual(JSON.parse(text));
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it("gives numbers as they are written", () => {
    expect(readValidJson('{"a":[1.50,-0,1e400 ,"7"],"b":12345678901234567890}', (source) => ({ source }))).toEqual({
      a: [{ source: "1.50" }, { source: "-0" }, { source: "1e400" }, "7"],
      b: { source: "12345678901234567890" },
    });
  });

  it("takes time in proportion to the text, whatever is in it", () => {
    const size = 200_000;
    const hostile = [
      `[${"1,".repeat(size / 2)}1]`,
      `[${"{},".repeat(size / 3)}1]`,
      `["${"\\\\".repeat(size / 2)}"]`,
      `["${'\\"'.repeat(size / 2)}"]`,
      `[${'"\\n",'.repeat(size / 5)}1]`,
      `[${" ".repeat(size)}]`,
      "9".repeat(size),
    ];
    for (const text of hostile) {
      expect(cpuMillisecondsOf(() => readValidJson(text, (source) => source))).toBeLessThan(2_000);
    }
  });
});
