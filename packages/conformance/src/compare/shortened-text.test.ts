import { expect, test } from "vitest";
import { isShortened } from "./shortened-text.ts";

const long = "A long note that says a good deal more than anyone wants to read in a list of notes.";

test.each([
  ["with an ellipsis", "A long note…"],
  ["with three dots", "A long note ..."],
  ["with dots in brackets", "A long note [...]"],
  ["without a mark, where it is long", long.slice(0, 40)],
])("A text is the beginning of another %s", (_how, expected) => {
  expect(isShortened({ kind: "value", expected, actual: long })).toBe(true);
});

test.each<[string, unknown, unknown]>([
  ["short, without a mark", "A long", long],
  ["of another text", "Another note that says…", long],
  ["dots alone", "...", long],
  ["the whole text with dots behind it", `${long}…`, long],
  ["the longer one", long, long.slice(0, 40)],
  ["a number", 1, 12],
])("A text is not shortened when it is %s", (_what, expected, actual) => {
  expect(isShortened({ kind: "value", expected, actual })).toBe(false);
});
