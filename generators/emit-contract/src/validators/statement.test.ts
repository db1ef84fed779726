import { group, renderCode } from "@nodewright/output";
import { describe, expect, it } from "vitest";
import { all, any, conditionCode, callTest } from "./condition.ts";
import {
  switchStatement,
  failWhen,
  loop,
  type Statement,
  statement,
  statementsCode,
  ifStatement,
} from "./statement.ts";

const a = callTest("a");
const b = callTest("b");
const c = callTest("c");
const one = statement("one();");
const two = statement("two();");
const written = (...statements: readonly Statement[]): string => renderCode(statementsCode(statements));

describe("the lines of a body", () => {
  it.each<[string, readonly Statement[], readonly string[]]>([
    ["nothing", [], [""]],
    ["statements one after the other", [one, two], ["one();", "two();"]],
    ["a failure", [failWhen(a)], ["if (a) return false;"]],
    ["a short branch without braces", [ifStatement(a, [one])], ["if (a) one();"]],
    ["a branch of two statements", [ifStatement(a, [one, two])], ["if (a) {", "  one();", "  two();", "}"]],
    ["a branch of one that is not short", [ifStatement(a, [failWhen(b)])], ["if (a) {", "  if (b) return false;", "}"]],
    ["two short branches", [ifStatement(a, [one], [two])], ["if (a) one();", "else two();"]],
    [
      "a block, and a short branch",
      [ifStatement(a, [one, two], [one])],
      ["if (a) {", "  one();", "  two();", "} else one();"],
    ],
    [
      "a short branch, and a block",
      [ifStatement(a, [one], [one, two])],
      ["if (a) one();", "else {", "  one();", "  two();", "}"],
    ],
    [
      "branches in a row",
      [ifStatement(a, [one], [ifStatement(b, [two], [ifStatement(c, [one, two])])])],
      ["if (a) one();", "else if (b) two();", "else if (c) {", "  one();", "  two();", "}"],
    ],
    [
      "another branch behind something else",
      [ifStatement(a, [one], [two, ifStatement(b, [one])])],
      ["if (a) one();", "else {", "  two();", "  if (b) one();", "}"],
    ],
    ["a loop", [loop("for (const x of y)", [one])], ["for (const x of y) {", "  one();", "}"]],
    [
      "a choice",
      [
        switchStatement("x", [
          { labels: ['"a"', '"b"'], body: [one] },
          { labels: [], body: [failWhen(a), two] },
        ]),
      ],
      [
        "switch (x) {",
        '  case "a":',
        '  case "b":',
        "    one();",
        "  default:",
        "    if (a) return false;",
        "    two();",
        "}",
      ],
    ],
  ])("are %s", (_, statements, lines) => {
    expect(written(...statements)).toBe(lines.join("\n"));
  });

  it("have conditions with parentheses where they are needed", () => {
    const code = (condition: Parameters<typeof conditionCode>[0]) => renderCode(group(conditionCode(condition)));
    expect(code(a)).toBe("a");
    expect(code(all([a, b]))).toBe("a && b");
    expect(code(any([a, b]))).toBe("a || b");
    expect(code(all([a, any([b, c])]))).toBe("a && (b || c)");
    expect(code(any([all([a, b]), all([b, c])]))).toBe("(a && b) || (b && c)");
  });
});
