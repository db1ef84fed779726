import { describe, expect, it } from "vitest";
import { suggestion } from "./suggestion.ts";

describe("suggestion", () => {
  it.each([
    ["sever", ["types", "server"], ' (did you mean "server"?)'],
    ["GETPET", ["getPets", "getPet"], ' (did you mean "getPet"?)'],
    ["serve", ["servers", "server"], ' (did you mean "server"?)'],
    ["path", ["paths", "path"], ""],
    ["colour", ["source", "package"], ""],
    ["a", ["bc"], ""],
    ["x", [], ""],
  ])("names what %s is almost", (name, candidates, expected) => {
    expect(suggestion(name, candidates)).toBe(expected);
  });
});
