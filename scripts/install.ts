// What the scripts that install programs for the tests share.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Runs a command to its end, with its output on this terminal. Throws when it fails. */
export function run(
  command: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  const { status, error } = spawnSync(command, parameters, {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  if (status === 0) return;
  throw new Error(`${command} ${parameters.join(" ")} failed${error === undefined ? "" : `: ${error.message}`}`);
}

/** Returns what a command prints. Throws when it fails. */
export function read(command: string, parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, parameters, { encoding: "utf8", maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${command} ${parameters.join(" ")} failed: ${stderr}`);
  return stdout;
}

/** Runs `install` unless it has been done into `cache` for this `version` of what it installs. */
export function once(cache: string, name: string, version: string, install: () => void): void {
  const stamp = join(cache, `${name}-${version}`);
  if (existsSync(stamp)) return;
  console.log(`Installing ${name} ${version}`);
  install();
  writeFileSync(stamp, "");
}

/** Whether a command is on the PATH. */
export function hasCommand(name: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
}

/** Installs packages of Debian with the libraries that they need. */
export function installDebian(packages: readonly string[]): void {
  console.log(`Installing ${packages.join(", ")}`);
  run("apt-get", ["update", "--quiet"]);
  run("apt-get", ["install", "--yes", "--quiet", "--no-install-recommends", ...packages], {
    DEBIAN_FRONTEND: "noninteractive",
  });
}
