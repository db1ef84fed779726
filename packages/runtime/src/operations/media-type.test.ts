import { describe, expect, it } from "vitest";
import { essenceOf, findContent, negotiateContent } from "./media-type.ts";
import type { ContentFacts } from "./operation.ts";

const contents = (...mediaTypes: readonly string[]): readonly ContentFacts[] =>
  mediaTypes.map((mediaType) => ({ mediaType, form: "binary" }));

describe("media types", () => {
  it.each([
    ["Application/JSON; charset=utf-8", "application/json"],
    [" text/plain ", "text/plain"],
    ["application/vnd.a+json;a=b;c", "application/vnd.a+json"],
    ["!#$%&'*+.^`|~-/x", "!#$%&'*+.^`|~-/x"],
    ["nonsense", undefined],
    ["a/b/c", undefined],
    ["/b", undefined],
    ["a/", undefined],
    ["a b/c", undefined],
    ["a/b c", undefined],
    [";a/b", undefined],
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

  it("lead to the narrowest content in whichever order they stand, those with parameters included", () => {
    for (const order of [
      ["image/png; a=b", "image/*", "*/*"],
      ["*/*", "image/png; a=b", "image/*"],
    ]) {
      const find = (mediaType: string) => findContent(contents(...order), mediaType)?.mediaType;
      expect([find("image/png"), find("image/gif"), find("a/b")]).toEqual(["image/png; a=b", "image/*", "*/*"]);
    }
    expect(findContent(contents("nonsense"), "a/b")).toBeUndefined();
    expect(findContent([], "a/b")).toBeUndefined();
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
    ["", "application/json"],
    ["*", "application/json"],
    ["text/csv, *;q=0.5", "text/csv"],
    ["text/csv;q=0.1, *", "application/json"],
    ["TEXT/CSV ; Q=0.6 , application/json;q=0.5", "text/csv"],
    ["text/csv;level=1;q=0.4, application/json;q=0.3", "text/csv"],
    ["application/json;q=1.5, text/csv;q=0.1", "text/csv"],
    ["application/json;q=-1, text/csv;q=0.1", "text/csv"],
    ["text/csv;q=1, application/json;q=1", "application/json"],
    ["text/*;q=0, text/csv, application/json;q=0.1", "text/csv"],
    ["*/*;q=0.1, application/*;q=0, text/*;q=0.05", "text/csv"],
    ["texts/*, application/json;q=0.1", "application/json"],
    [`${"a/b,".repeat(99)}text/csv`, "text/csv"],
    [`${"a/b,".repeat(100)}text/csv`, "application/json"],
    ["text/csv;q=nonsense, application/json;q=0.1", "application/json"],
  ])("are negotiated by quality, the first where nothing decides: %s", (accept, best) => {
    expect(negotiateContent(contents("application/json", "text/csv"), accept)?.mediaType).toBe(best);
  });

  it("are negotiated among ranges too, and need no wishes where there is one or none", () => {
    expect(negotiateContent(contents("application/json", "image/*"), "image/png")?.mediaType).toBe("image/*");
    expect(negotiateContent(contents("application/json", "image/*"), "images/png")?.mediaType).toBe("application/json");
    expect(negotiateContent(contents("image/*"), "text/csv")?.mediaType).toBe("image/*");
    expect(negotiateContent([], "text/csv")).toBeUndefined();
  });
});
