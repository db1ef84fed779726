import { describe, expect, test } from "vitest";
import { matchesEntityTag, encodedEntityTag } from "./entity-tags.ts";

describe("an If-None-Match header", () => {
  test.each([`"a"`, `W/"a"`, `"b", "a"`, `"b",W/"a" , "c"`, "*", " * "])("of %s names the tag", (header) => {
    expect(matchesEntityTag(header, `"a"`)).toBe(true);
  });

  test.each(["", "a", `"b"`, `"a-gzip"`, `"A"`, `"a`, `"aa"`])("of %s does not", (header) => {
    expect(matchesEntityTag(header, `"a"`)).toBe(false);
  });
});

test("a compressed answer has a tag of its own", () => {
  expect([encodedEntityTag(`"a"`, "br"), encodedEntityTag(`"a"`, "gzip"), encodedEntityTag(`"a"`, undefined)]).toEqual([
    `"a-br"`,
    `"a-gzip"`,
    `"a"`,
  ]);
});
