import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";

const here = join(root, "test/diagnostics");
const cases = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "corpus")
  .map(({ name }) => name);

/** Runs the command line on one case, as a user would, with its output elsewhere. */
function generate(name: string) {
  const directory = join(here, name);
  const output = mkdtempSync(join(tmpdir(), "nodewright-diagnostics-"));
  const [source = ""] = readdirSync(directory).filter((file) => file.startsWith("document."));
  const config = join(directory, ".nodewright.config.ts");
  const document = {
    source,
    package: output,
    ...(existsSync(join(directory, "operations")) ? { operationDocuments: "operations" } : {}),
  };
  writeFileSync(config, `export default { documents: [${JSON.stringify(document)}] };\n`);
  const result = spawnSync(
    process.execPath,
    ["--conditions=source", join(root, "generators/cli/src/main.ts"), "gen", "--config", config],
    {
      encoding: "utf8",
      cwd: directory,
    },
  );
  const written = readdirSync(output, { recursive: true });
  rmSync(config);
  rmSync(output, { recursive: true });
  return { ...result, written };
}

describe("a document with mistakes", () => {
  it.each(cases)("%s: is told all of them, and nothing is written", (name) => {
    const { status, stderr, stdout, written } = generate(name);
    const expectedFile = join(here, name, "expected.txt");
    // Before anything is written: a run that broke off says nothing of the document.
    expect(stderr).not.toMatch(/^\s+at /m);
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(expectedFile, stderr);
    expect(stderr).toBe(readFileSync(expectedFile, "utf8"));
    expect(stdout).toBe("");
    expect(status).toBe(1);
    expect(written).toEqual([]);
  });

  it("is reported without a stack trace", () => {
    for (const name of cases) expect(readFileSync(join(here, name, "expected.txt"), "utf8")).not.toMatch(/^\s+at /m);
  });
});
