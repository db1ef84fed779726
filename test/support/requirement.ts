import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.ts";

/** A program that a test needs and that a machine may not have. */
export interface Requirement {
  /** Undefined when it is missing: `it.skipIf(path === undefined)`, which the last line of `npm test` counts. */
  readonly path: string | undefined;
}

/** Looks for what `npm run setup:ci` puts at `place` below its directory; says loudly when it is missing. */
export function requireInstalled(place: string, name: string): Requirement {
  const path = join(root, ".cache/ci", place);
  if (existsSync(path)) return { path };
  console.warn(`${name} is not installed: the tests that need it are skipped. npm run setup:ci installs it.`);
  return { path: undefined };
}

/** Looks for a program where `npm run setup:ci` puts it, then on the PATH; says loudly when it is missing. */
export function requireProgram(name: string): Requirement {
  const built = join(root, ".cache/ci/bin", name);
  if (existsSync(built)) return { path: built };
  const { status, stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  if (status === 0) return { path: stdout.trim() };
  console.warn(`${name} is not on this machine: the tests that need it are skipped. npm run setup:ci builds it.`);
  return { path: undefined };
}

/** Looks for the bitcoind that `npm run setup:long` builds; says loudly when it is missing. */
export function requireBitcoinCore(): Requirement {
  const path = join(root, ".cache/long/bin/bitcoind");
  if (existsSync(path)) return { path };
  console.warn("bitcoind is not built: the tests that need it are skipped. npm run setup:long builds it.");
  return { path: undefined };
}
