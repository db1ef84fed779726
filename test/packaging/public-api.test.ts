/**
 * The exported names of every public package with their signatures are in `test/api/`, so that a diff shows each change of the public
 * interface. `UPDATE_API=1` writes the files again: read the difference.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";
import { publicApi, publicPackages } from "./public-api.ts";

const here = join(root, "test/api");
const update = "UPDATE_API=1 npx vitest run test/packaging/public-api.test.ts";
/** Share of the exported names of a package that may have no docstring. */
const mostUndocumented = 0.05;

const packages = publicPackages.map((each) => {
  const entries = publicApi(each);
  // Their declarations are committed as sources and compared by `nodewright check`.
  const isGenerated = each.name.endsWith("-api");
  const sections = entries.map(({ path, symbols }) =>
    [`## ${path}\n`, ...symbols.map(({ name, kind, signature }) => (isGenerated ? `${kind} ${name}` : signature))].join(
      "\n",
    ),
  );
  return {
    name: each.name,
    symbols: entries.flatMap(({ symbols }) => symbols),
    file: `${each.directory.split("/")[1]}.txt`,
    text: `# ${each.name}\n\n${sections.join("\n\n")}\n`,
  };
});

if (process.env["UPDATE_API"] === "1") {
  rmSync(here, { recursive: true, force: true });
  mkdirSync(here);
  for (const { file, text } of packages) writeFileSync(join(here, file), text);
}

describe("the public interface", () => {
  it.each(packages)("of $name is that of test/api/$file", ({ file, text }) => {
    const path = join(here, file);
    const expected = existsSync(path) ? readFileSync(path, "utf8") : "";
    expect(text, `The public interface has changed. If that is intended: ${update}`).toBe(expected);
  });

  it("has no file of a package that is gone", () => {
    expect(readdirSync(here).toSorted(), update).toEqual(packages.map(({ file }) => file).toSorted());
  });

  it.each(packages)("of $name has a docstring on 95 of 100 exported names", ({ symbols }) => {
    const names = new Set(symbols.map(({ name }) => name));
    const undocumented = new Set(symbols.filter(({ hasDocstring }) => !hasDocstring).map(({ name }) => name));
    expect(undocumented.size, `without a docstring: ${[...undocumented].join(", ")}`).toBeLessThanOrEqual(
      names.size * mostUndocumented,
    );
  });
});
