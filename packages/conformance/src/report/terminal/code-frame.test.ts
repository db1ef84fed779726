import { describe, expect, it } from "vitest";
import { codeFrame } from "./code-frame.ts";

describe("codeFrame", () => {
  it("shows a line with those before it, and a caret under the column", () => {
    expect(codeFrame("one\ntwo\n\tthree\nfour", 3, 2, 60)).toEqual(["1 | one", "2 | two", "3 |  three", "  |  ^"]);
  });

  it("cuts a document of one line around the column", () => {
    const lines = codeFrame(`${"a".repeat(500)}X${"b".repeat(500)}`, 1, 501, 44);
    expect(lines).toHaveLength(2);
    const [line = "", caret = ""] = lines;
    expect(line.length).toBeLessThanOrEqual(44);
    expect(line[caret.indexOf("^")]).toBe("X");
  });

  it("shows nothing of a line that is not there", () => {
    expect(codeFrame("one\ntwo", 9, 1, 60)).toEqual([]);
  });

  it("numbers the lines of a file with carriage returns as others do", () => {
    expect(codeFrame("one\r\ntwo\r\n", 2, 1, 60)).toEqual(["1 | one", "2 | two", "  | ^"]);
  });
});
