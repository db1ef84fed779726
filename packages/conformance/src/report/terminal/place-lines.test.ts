import { expect, it } from "vitest";
import { placeLines } from "../place.ts";

function framed(text: string, place: string): readonly string[] {
  return placeLines(place, "api.yaml", new Map([["api.yaml", text]]), 60);
}

it("shows a place with its lines, numbered as others do in a file with carriage returns", () => {
  expect(framed("one\r\ntwo\r\n", "2:1")).toEqual(["api.yaml:2:1", "1 | one", "2 | two", "  | ^"]);
});

it("shows a place alone where the file has no such line, or is not known", () => {
  expect(framed("one\ntwo", "9:1")).toEqual(["api.yaml:9:1"]);
  expect(framed("one\ntwo", "other.yaml:1:1")).toEqual(["other.yaml:1:1"]);
});
