import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { benchmarks } from "./list.ts";
import { isMeasuredAt, renderProvenance, replaceMarked } from "./sections.ts";

const directory = new URL("./", import.meta.url);

describe("a section of the results", () => {
  const text = "# Results\n\nProse.\n\n<!-- section: one -->\n\nold\n\n<!-- end of one -->\n\nMore.\n";

  it("is replaced whole, and nothing around it", () => {
    expect(replaceMarked(text, "one", "new\n\n| a |\n")).toBe(
      "# Results\n\nProse.\n\n<!-- section: one -->\n\nnew\n\n| a |\n\n<!-- end of one -->\n\nMore.\n",
    );
  });

  it("is the same when the same is written again", () => {
    const once = replaceMarked(text, "one", "new");
    expect(replaceMarked(once, "one", "new")).toBe(once);
  });

  it.each([
    ["is missing", "two", text],
    ["has no end", "one", text.replace("<!-- end of one -->", "")],
    ["ends before it begins", "one", "<!-- end of one --><!-- section: one -->"],
    ["is there twice", "one", text + text],
  ])("that %s is not written", (_what, name, given) => {
    expect(() => replaceMarked(given, name, "new")).toThrow("each once");
  });
});

describe("the content of a section", () => {
  const empty = "<!-- section: one --><!-- end of one -->";

  it.each(["```\n1x ###\n\n| a |\n", "```text\n1x ###\n```\n\n```\n2x ###\n"])(
    "is not written with a code block that does not end, which would take in what follows: %j",
    (content) => {
      expect(() => replaceMarked(empty, "one", content)).toThrow("code block");
      expect(replaceMarked(empty, "one", `${content}\`\`\``)).toContain(content);
    },
  );
});

describe("what a section was measured at", () => {
  const measured = {
    date: "2026-11-22 10:00",
    commit: "0123456789",
    node: "24.21.0",
    command: "node x",
    machine: "2 processors",
  };
  const text = replaceMarked("<!-- section: one --><!-- end of one -->", "one", renderProvenance(measured));

  it("is reported by it alone", () => {
    expect(isMeasuredAt(text, "one", "0123456789")).toBe(true);
    expect(isMeasuredAt(text, "one", "0123456789 with changes")).toBe(false);
    expect(isMeasuredAt(text, "one", "9876543210")).toBe(false);
    expect(isMeasuredAt(`${text}<!-- section: two --><!-- end of two -->`, "two", "0123456789")).toBe(false);
  });
});

describe("RESULTS.md", () => {
  const results = readFileSync(new URL("RESULTS.md", directory), "utf8");
  const marked = [...results.matchAll(/<!-- section: (\S+) -->/g)].map(([, name]) => name);

  it("has a section for each benchmark, and none that no script writes", () => {
    expect(marked.toSorted()).toEqual(benchmarks.map(({ section }) => section).toSorted());
  });

  it.each(marked)("closes in the section %s every code block that begins there", (name) => {
    const [, section = ""] = results.split(`<!-- section: ${name} -->`);
    const [content = ""] = section.split(`<!-- end of ${name} -->`);

    expect(() => replaceMarked(results, name ?? "", content)).not.toThrow();
  });

  it("has no table outside of them", () => {
    let outside = results;
    for (const name of marked) outside = replaceMarked(outside, name ?? "", "");
    expect(outside.split("\n").filter((line) => line.startsWith("|"))).toEqual([]);
  });

  it("names scripts that are there and write the section", () => {
    const names = new Set(readdirSync(directory));
    for (const { script, section } of benchmarks) {
      expect(names).toContain(script);
      expect(readFileSync(new URL(script, directory), "utf8"), script).toContain(`beginSection("${section}")`);
    }
  });
});
