import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stringLiteral } from "../code/literals.ts";
import { compileTemplates, renderTemplate } from "./template.ts";
import { templatePrograms } from "./template-programs.ts";

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

  it("has the program that Handlebars makes of it; UPDATE_GOLDEN=1 writes it anew", () => {
    const given = compileTemplates();
    const path = new URL("template-programs.ts", import.meta.url);
    if (process.env["UPDATE_GOLDEN"] === "1") {
      const entries = Object.entries(given).map(
        ([name, { digest, code }]) =>
          `  "${name}": {\n    digest: "${digest}",\n    code: ${stringLiteral(code)},\n  },\n`,
      );
      const text = readFileSync(path, "utf8");
      writeFileSync(path, `${text.slice(0, text.indexOf("= {"))}= {\n${entries.join("")}};\n`);
    } else expect(templatePrograms).toEqual(given);
  });

  it("does not forgive a missing value", () => {
    expect(() => renderTemplate("validator-helpers", flags)).toThrow('"violation" not defined');
  });
});
