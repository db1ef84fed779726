import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readBaseline } from "../baseline/read-baseline.ts";
import { reportFormats } from "../report/report-format.ts";
import { verdicts } from "../contract/report.ts";
import { readCommandLine } from "./conform-arguments.ts";
import { readGiven } from "../testing/read-given.ts";
import { createCommand } from "./conform-options.ts";
import { ruleGroups } from "./list-rules.ts";

const guide = readFileSync(new URL("../../../../docs/conform.md", import.meta.url), "utf8");

/** First cells of the rows of all tables, without backticks. */
const cells = [...guide.matchAll(/^\| `?([^|`]+?)`? \|/gm)].map(([, cell = ""]) => cell);

const { options } = createCommand("nodewright conform");

describe("the guide", () => {
  it("names options that there are", () => {
    const flags = new Set(["--help", "--version", ...options.map(({ long }) => long)]);
    for (const [name] of guide.matchAll(/--[a-z][a-z-]*/g)) expect(flags, name).toContain(name);
  });

  it("explains every option that is not one of all programs", () => {
    for (const { long = "" } of options) expect(guide).toContain(long);
  });

  it("names what the ids of all rules begin with", () => {
    const beginnings = cells.map((cell) => cell.replace("…", ""));
    for (const { id } of ruleGroups.flatMap((group) => group.rules)) {
      expect(guide.includes(`\`${id}\``) || beginnings.includes(id.charAt(0)), id).toBe(true);
    }
  });

  it("has every report and every verdict, each with its words", () => {
    for (const { name } of reportFormats) expect(cells).toContain(name);
    for (const verdict of verdicts) expect(cells).toContain(verdict);
    for (const { description } of reportFormats) expect(guide.replaceAll("`", "")).toContain(description);
  });

  it("says the exit codes as the help does", () => {
    const texts: string[] = [];
    const stdout = { columns: 120, write: (text: string) => texts.push(text) > 0 };
    readCommandLine(["--help"], "nodewright conform", { stdout, stderr: stdout });
    for (const [, code, words = ""] of texts.join("").matchAll(/^ {2}([0-3]) {2}(.+)$/gm))
      expect(guide).toContain(`| ${code} | ${words} |`);
  });

  it("shows command lines that are read", () => {
    const lines = guide.matchAll(/^(?:npx )?(nodewright conform|@nodewright\/conformance) (http\S+) (.+)$/gm);
    let count = 0;
    for (const [, program, url = "", rest = ""] of lines) {
      const name = program === "nodewright conform" ? program : "conformance";
      readGiven([url, ...rest.split(" ")], name, url);
      count += 1;
    }
    expect(count).toBe(7);
  });

  it("shows a baseline that is read", () => {
    const [, text = ""] = /```yaml\n(format: 1\n[\s\S]*?)```/.exec(guide) ?? [];
    const { known, flaky } = readBaseline("known.yaml", text);
    expect([known.length, flaky.length]).toEqual([1, 1]);
    const rules = ruleGroups.flatMap((group) => group.rules.map(({ id }) => id));
    for (const { rule } of known) expect(rules).toContain(rule);
  });
});
