import { describe, expect, it } from "vitest";
import { restOperations } from "../testing/hand-made-operations.ts";
import { invalidInputError } from "./invalid-input.ts";

const wrong = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    pointer: `/body/${index}`,
    keyword: "type",
    message: "must be string",
  }));

describe("the answer to a wrong input", () => {
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
});
