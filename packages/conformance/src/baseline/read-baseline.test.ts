import { describe, expect, it } from "vitest";
import { readBaseline } from "./read-baseline.ts";

const entry = `  - case: getPet/example/cat
    rule: BODY
    message: 'It lacks: a name'
    reason: Old pets have none. # asked for in spring
    since: 2026-11-22
`;

describe("readBaseline", () => {
  it("reads entries that people wrote", () => {
    const text = `# pets\nformat: 1\nknown:\n${entry}    clients: [petd >=1 <2]\nflaky:\n  - { case: b, reason: r, since: 2026-01-02 }\n`;
    expect(readBaseline("known.yaml", text)).toEqual({
      known: [
        {
          case: "getPet/example/cat",
          rule: "BODY",
          message: "It lacks: a name",
          reason: "Old pets have none.",
          since: "2026-11-22",
          clients: ["petd >=1 <2"],
        },
      ],
      flaky: [{ case: "b", reason: "r", since: "2026-01-02" }],
    });
  });

  it.each([
    [""],
    ["# nothing yet\n\n"],
    ["\n ".repeat(10_000)],
    ["format: 1\n"],
    ["format: 1\nknown:\n"],
    ["format: 1\nknown: []\n"],
  ])("reads %j as empty", (text) => {
    expect(readBaseline("known.yaml", text)).toEqual({ known: [], flaky: [] });
  });

  it.each([
    ["a member that nobody reads", `format: 1\nknwon: []\n`, '2:1: there is no member "knwon" (did you mean "known"?)'],
    ["another format", "format: 2\n", '1:9: "format" has to be 1'],
    [
      "a missing reason",
      "format: 1\nknown:\n  - case: a\n    rule: A\n    message: m\n    since: 2026-01-01\n",
      '3:5: "reason" is missing',
    ],
    ["no day", `format: 1\nknown:\n${entry.replace("2026-11-22", "spring")}`, '7:12: "since" has to be a day'],
    ["an invalid range", `format: 1\nknown:\n${entry}    clients: ~1\n`, '8:14: "~1" is not a client'],
    ["an entry twice", `format: 1\nknown:\n${entry}${entry}`, "8:5: getPet/example/cat stands twice"],
    ["no YAML", "format: 1\nknown: [\n", "known.yaml:3:1: "],
    ["a list", "- 1\n", "1:1: it has to be a mapping"],
  ])("tells %s with its line", (_, text, message) => {
    expect(() => readBaseline("known.yaml", text)).toThrow(message);
  });
});
