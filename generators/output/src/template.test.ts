import { describe, expect, it } from "vitest";
import { renderTemplate } from "./template.ts";

const flags = {
  canonicalText: false,
  countCodePoints: false,
  countMembers: false,
  escapeToken: false,
  findRepetition: false,
  finder: false,
  hasOtherMembers: false,
  isList: false,
  isLongerThan: false,
  isMultipleOf: false,
  isRecord: false,
  isShorterThan: false,
  missing: false,
  ownMember: false,
  pattern: false,
  violate: true,
};

describe("a template", () => {
  it("is filled with text as it is, escaping nothing", () => {
    expect(renderTemplate("validator-helpers", { ...flags, violation: 'Record<string, "a">' })).toContain(
      'violations: Record<string, "a">[]',
    );
  });

  it("does not forgive a missing value", () => {
    expect(() => renderTemplate("validator-helpers", flags)).toThrow('"violation" not defined');
  });
});
