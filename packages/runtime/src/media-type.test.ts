import { describe, expect, it } from "vitest";
import { essenceOf, findContent, negotiateContent } from "./media-type.ts";
import type { ContentFacts } from "./operation.ts";

const contents = (...mediaTypes: readonly string[]): readonly ContentFacts[] =>
  mediaTypes.map((mediaType) => ({ mediaType, form: "binary" }));

describe("media types", () => {
  it.each([
    ["Application/JSON; charset=utf-8", "application/json"],
    [" text/plain ", "text/plain"],
    ["nonsense", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("are known without their parameters: %s", (text, essence) => expect(essenceOf(text)).toBe(essence));

  it.each([
    ["image/png", "image/png"],
    ["image/gif", "image/*"],
    ["text/plain", "*/*"],
  ])("lead to the narrowest content: %s", (mediaType, found) => {
    expect(findContent(contents("*/*", "image/*", "image/png"), mediaType)?.mediaType).toBe(found);
  });

  it("lead to no content when none holds them", () => {
    expect(findContent(contents("image/*"), "imagery/png")).toBeUndefined();
  });

  it.each([
    [undefined, "application/json"],
    ["text/csv", "text/csv"],
    ["text/*, application/json;q=0.5", "text/csv"],
    ["*/*", "application/json"],
    ["text/csv;q=0, */*", "application/json"],
    ["application/json;q=0.1, text/csv;q=0.9", "text/csv"],
    ["application/*;q=0.2, application/json, text/csv;q=0.9", "application/json"],
    ["image/png", "application/json"],
    ["text/csv;q=nonsense, application/json;q=0.1", "application/json"],
  ])("are negotiated by quality, the first where nothing decides: %s", (accept, best) => {
    expect(negotiateContent(contents("application/json", "text/csv"), accept)?.mediaType).toBe(best);
  });
});
