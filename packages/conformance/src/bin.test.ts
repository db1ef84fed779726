import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** Returns the URL of a module that makes a program run as if in another version of Node. */
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

test.each([
  ["conformance", ["packages/conformance/src/bin.ts"]],
  ["nodewright conform", ["generators/cli/src/main.ts", "conform"]],
])("%s keeps its exit code where the reader of its output has gone", (_, [program = "", ...words]) => {
  // The output goes to a pipe without a reader.
  const line = `"$0" "$@" | { exec <&-; sleep 0; }; exit "\${PIPESTATUS[0]}"`;
  const given = [
    "--conditions=source",
    join(root, program),
    ...words,
    "http://127.0.0.1:9",
    "--api",
    "@nodewright/index-api",
  ];
  const { status } = spawnSync("bash", ["-c", line, process.execPath, ...given], {
    encoding: "utf8",
    cwd: join(root, "packages/conformance"),
  });
  expect(status).toBe(3);
});

test("nodewright runs in a clone before anything is built, and passes words and exit code on", () => {
  const program = join(root, "generators/cli/bin/nodewright.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "chek"], { encoding: "utf8" });
  expect(stderr).toContain("Did you mean check?");
  expect(stdout).toBe("");
  expect(status).toBe(2);
});
