import { describe, expect, it } from "vitest";
import { showValue } from "./shown-value.ts";

function show(
  value: string,
  pointer: string | undefined,
  protocol: "http" | "rpc" | "graphql" = "http",
  width = 60,
): readonly string[] {
  return showValue(value, pointer, protocol, width).map(({ text, isMarked }) => `${isMarked ? ">" : " "} ${text}`);
}

describe("showValue", () => {
  it("shows a short value whole where nothing of it is meant", () => {
    expect(show('{ "id": 1 }', undefined)).toEqual(['  {"id":1}']);
  });

  it("marks what a pointer names, with its neighbours", () => {
    expect(show('{"a":1,"b":{"c":"x","d":[1,2]},"e":2,"f":3,"g":4}', "/b/c")).toEqual([
      "  {",
      '    "a": 1,',
      '    "b": {',
      '>     "c": "x",',
      '      "d": [1,2]',
      "    },",
      '    "e": 2,',
      "    … 2 more",
      "  }",
    ]);
  });

  it("marks the object that lacks a member", () => {
    expect(show('{"a":{"b":1}}', "/a/name")).toContain('>   "a": {"b":1}');
  });

  it("finds the element that is unlike the others", () => {
    expect(show('[{"n":1},{"n":2},{"n":"3"},{"n":4}]', "/*/n")).toContain('>     "n": "3"');
  });

  it("begins where the protocol puts its answer", () => {
    expect(show('{"jsonrpc":"2.0","id":1,"result":{"height":"7"}}', "/height", "rpc")).toContain('>     "height": "7"');
    expect(show('{"data":{"block":null}}', "/block", "graphql")).toContain('>     "block": null');
  });

  it("keeps numbers as they were written", () => {
    expect(show('{"v":1.0,"w":12345678901234567890,"x":1e0}', undefined)).toEqual([
      '  {"v":1.0,"w":12345678901234567890,"x":1e0}',
    ]);
  });

  it("cuts what is no JSON, and makes visible what would not be seen", () => {
    const [line = ""] = show(`\u001b[2J${"x".repeat(500)}`, "/a");
    expect(line.startsWith("  \\u001b[2Jxxx")).toBe(true);
    expect(line.length).toBeLessThan(190);
    expect(line.endsWith("…")).toBe(true);
  });

  it("follows escaped names, and names that every object has", () => {
    expect(show('{"a/b":{"~":1}}', "/a~1b/~0")).toContain('>     "~": 1');
    expect(show('{"a":1}', "/__proto__/x")).toEqual(['> {"a":1}']);
  });
});
