import { describe, expect, it } from "vitest";
import { codeFrame } from "./code-frame.ts";

function frame(text: string, line: number, column: number, room: number): readonly string[] {
  return codeFrame((number) => text.split("\n")[number - 1], { line, column }, room);
}

describe("codeFrame", () => {
  it("shows a line with those before it, and a caret under the column", () => {
    expect(frame("one\ntwo\n\tthree\nfour", 3, 2, 60)).toEqual(["1 | one", "2 | two", "3 |  three", "  |  ^"]);
  });

  it("cuts a document of one line around the column", () => {
    const lines = frame(`${"a".repeat(500)}X${"b".repeat(500)}`, 1, 501, 40);
    expect(lines).toHaveLength(2);
    const [line = "", caret = ""] = lines;
    expect(line.length).toBeLessThanOrEqual(44);
    expect(line[caret.indexOf("^")]).toBe("X");
  });

  it("shows nothing of a line that is not there", () => {
    expect(frame("one\ntwo", 9, 1, 60)).toEqual([]);
  });

  it("shows characters that a terminal would hide", () => {
    expect(frame("a\u202Eb", 1, 3, 60)).toEqual(["1 | a\\u202eb", "  |        ^"]);
  });
});
