import fc from "fast-check";
import { expect, test } from "vitest";
import { hashedEntityTag, entityTag } from "./entity-tag.ts";

const hash = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";

test("a tag is in quotes and names what a response is of", () => {
  expect(entityTag(hash)).toMatch(/^"[0-9]+-0{10}19d6689c.*"$/);
  expect(entityTag("waiting", 7)).not.toBe(entityTag("waiting", 8));
});

test("a tag of many things is short, and another for other things", () => {
  const things = fc.array(fc.oneof(fc.stringMatching(/^[0-9a-f]+$/), fc.nat()));
  fc.assert(
    fc.property(things, things, (one, other) => {
      const tags = [hashedEntityTag(one), hashedEntityTag(other)];
      for (const tag of tags) expect(tag).toMatch(/^"[!#-~]{1,40}"$/);
      expect(tags[0] === tags[1]).toBe(one.join(" ") === other.join(" "));
    }),
  );
});
