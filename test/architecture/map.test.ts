import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { root, workspacePackages } from "../support/workspace.ts";

/** Size of ARCHITECTURE.md in bytes that is read in about eight minutes. */
const mostBytes = 9_000;

const packages = workspacePackages();
const map = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)));

/** Targets of the relative links of a page, without their fragments. */
function linkedPaths(text: string): readonly string[] {
  const withoutCode = text.replaceAll(/```.*?```/gs, "");
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target.replace(/#.*$/, ""))
    .filter((target) => target !== "" && !/^[a-z]+:/.test(target));
}

describe("the map", () => {
  it("is short enough to be read at once", () => {
    expect(Buffer.byteLength(map)).toBeLessThanOrEqual(mostBytes);
  });

  it.each(packages)("leads to the README of $name, which says how to test it", ({ name, directory }) => {
    const readme = `${directory}/README.md`;
    const text = readFileSync(join(root, readme), "utf8");
    expect(text.split("\n")[0]).toBe(`# ${name}`);
    expect(map).toContain(`(${readme})`);
    if (!existsSync(join(root, directory, "src", "gen"))) expect(text).toMatch(/^## .*test/im);
  });

  it.each(pages)("%s has no link to a file that is missing", (page) => {
    const targets = linkedPaths(readFileSync(join(root, page), "utf8"));
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });
});
