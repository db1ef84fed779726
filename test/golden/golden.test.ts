import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";

const here = join(root, "test/golden");
const cases = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The manifest names digests of the generator itself, which change with every line of it. */
const leftOut = "src/gen/manifest.json";

/** Generates one case in a directory of its own and gives what was written, by path. */
function generate(name: string): ReadonlyMap<string, string> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-golden-"));
  cpSync(join(here, name), directory, { recursive: true, filter: (path) => !path.includes(`${name}/expected`) });
  const [source = ""] = readdirSync(directory).filter((file) => file.startsWith("document."));
  const document = {
    source,
    package: "api",
    handlers: { directory: "handlers", context: "../context.ts#Context" },
    ...(existsSync(join(directory, "operations")) ? { operationDocuments: "operations" } : {}),
  };
  const config = join(directory, "nodewright.config.ts");
  writeFileSync(config, `export default { documents: [${JSON.stringify(document)}] };\n`);
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--conditions=source", join(root, "generators/cli/src/bin.ts"), "gen", "--config", config],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const files = readTree(directory, ["api", "handlers"]);
  rmSync(directory, { recursive: true });
  return files;
}

function readTree(directory: string, below: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const part of below) {
    if (!existsSync(join(directory, part))) continue;
    for (const path of readdirSync(join(directory, part), { recursive: true, encoding: "utf8" })) {
      const file = join(directory, part, path);
      if (statSync(file).isFile() && path !== leftOut) files.set(`${part}/${path}`, readFileSync(file, "utf8"));
    }
  }
  return new Map([...files].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

describe("generated files", () => {
  it.each(cases)("%s", (name) => {
    const written = generate(name);
    const expectedDirectory = join(here, name, "expected");
    if (process.env["UPDATE_GOLDEN"] === "1") {
      rmSync(expectedDirectory, { recursive: true, force: true });
      for (const [path, text] of written) {
        mkdirSync(join(expectedDirectory, path, ".."), { recursive: true });
        writeFileSync(join(expectedDirectory, path), text);
      }
    }
    const expected = readTree(expectedDirectory, ["api", "handlers"]);
    expect([...written.keys()]).toEqual([...expected.keys()]);
    for (const [path, text] of written) expect(text, path).toBe(expected.get(path));
  });
});
