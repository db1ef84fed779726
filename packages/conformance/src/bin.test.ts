import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** Makes a program believe that it runs in another version of Node. */
function pretending(version: string): string {
  const code = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

test.each([
  ["conformance", "packages/conformance", "src/bin.ts"],
  ["nodewright", "generators/cli", "bin/nodewright.js"],
])("%s says in one line that Node is too old", (name, directory, file) => {
  const program = join(root, directory, file);
  const { engines } = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")) as {
    readonly engines: { readonly node: string };
  };
  const words = ["--conditions=source", "--import", pretending("20.1.0"), program, "--version"];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect(stderr).toBe(`${name} needs Node ${engines.node.replace(">=", "")} or newer, and this is Node 20.1.0.\n`);
  expect(stdout).toBe("");
  expect(status).toBe(2);
});

test("nodewright runs in a clone before anything is built, and passes words and exit code on", () => {
  const program = join(root, "generators/cli/bin/nodewright.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "chek"], { encoding: "utf8" });
  expect(stderr).toContain("Did you mean check?");
  expect(stdout).toBe("");
  expect(status).toBe(2);
});
