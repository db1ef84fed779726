import { expect, it } from "vitest";
import { namesAlternatives } from "./name-meaning.ts";

const parameters = ["email", "phone", "unit_id"].map((name) => ({
  name,
  property: name,
  required: name === "unit_id",
  type: { kind: "string" } as const,
}));

it.each([
  ["exactly one of email and phone has to be given", true],
  ["`email`, 'phone'", true],
  ["email is missing", false],
  ["email and unit_id do not match", false],
  ["Bad Request", false],
])("reads whether %j names alternatives", (text, is) => {
  expect(namesAlternatives(text, parameters)).toBe(is);
});
