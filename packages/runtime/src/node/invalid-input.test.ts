import { describe, expect, it } from "vitest";
import type { HttpOperation } from "../operations/operation.ts";
import { restOperations } from "../testing/hand-made-operations.ts";
import { invalidInputError } from "./invalid-input.ts";

const wrong = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    pointer: `/body/${index}`,
    keyword: "type",
    message: "must be string",
  }));

describe("the response to a wrong input", () => {
  it("has a sentence about each mistake", () => {
    const { message } = invalidInputError(restOperations.createNote, wrong(2));
    expect(message).toBe("The body at /0 must be string; The body at /1 must be string");
  });

  it("stays short, however many mistakes there are", () => {
    const { message, details } = invalidInputError(restOperations.createNote, wrong(100_000));
    expect(message.split("; ")).toHaveLength(11);
    expect(message).toMatch(/; and 99990 more$/);
    expect(details?.["violations"]).toEqual(wrong(100));
  });

  const operation: HttpOperation = {
    ...restOperations.createNote,
    parameters: [
      { name: "X-A", property: "a", location: "header", required: true },
      { name: "b/c", property: "b/c", location: "query", required: false, invalidMessage: "Give a right b/c" },
      { name: "d", property: "d", location: "path", required: true, invalidMessage: "Give a right d" },
    ],
  };
  const violation = (pointer: string) => ({ pointer, keyword: "type", message: "is wrong" });
  const messageOf = (...pointers: readonly string[]) => invalidInputError(operation, pointers.map(violation)).message;

  it.each([
    [["/a"], "The header parameter X-A is wrong"],
    [["/a/0/b"], "The header parameter X-A at /0/b is wrong"],
    [["/body"], "The body is wrong"],
    [["/body/a/0"], "The body at /a/0 is wrong"],
    [[""], "The request is wrong"],
    [["/other/a"], "The request is wrong"],
    [["/a", "/body"], "The header parameter X-A is wrong; The body is wrong"],
    [["/b~1c"], "Give a right b/c"],
    [["/body", "/d", "/b~1c/0"], "Give a right b/c"],
    [["/a", "/d"], "The header parameter X-A is wrong; The path parameter d is wrong"],
  ])("has the document's own words for the first parameter that is wrong, if it has some: %j", (pointers, message) => {
    expect(messageOf(...pointers)).toBe(message);
  });

  it("is a failure of the input, with each mistake as details", () => {
    const { code, details } = invalidInputError(operation, [violation("/a")]);
    expect([code, details]).toEqual(["invalid_input", { violations: [violation("/a")] }]);
  });

  it.each([
    [10, 10, false],
    [11, 11, true],
  ])("has %i sentences at most", (count, sentences, isCut) => {
    const { message } = invalidInputError(restOperations.createNote, wrong(count));
    expect(message.split("; ")).toHaveLength(sentences);
    expect(message.endsWith("; and 1 more")).toBe(isCut);
  });
});
