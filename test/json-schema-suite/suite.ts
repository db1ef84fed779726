import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { fillCache } from "../support/shared-cache.ts";
import { root } from "../support/workspace.ts";

/** A value and whether it is valid against the schema of its group. */
export interface SuiteTest {
  readonly description: string;
  readonly data: unknown;
  readonly valid: boolean;
}

export interface SuiteGroup {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly SuiteTest[];
}

/** The JSON-Schema-Test-Suite on this machine, or the reason why it is not there. */
export type Suite = { readonly directory: string } | { readonly missing: string };

/**
 * The source distribution of a Python implementation carries the suite whole, with its remotes; the packages of that name on npm hold
 * no tests of 2020-12.
 */
const origin = {
  package: "jsonschema",
  version: "4.26.0",
  digest: "0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326",
} as const;

const cache = join(root, ".cache/json-schema-suite");
const execute = promisify(execFile);

/** Fetches the suite once, with the registry's own client, and keeps it in `.cache`. */
export async function fetchSuite(): Promise<Suite> {
  const directory = join(cache, `${origin.package}-${origin.version}`);
  if (existsSync(directory)) return { directory: join(directory, "json") };
  try {
    await fillCache(directory, async (work) => {
      const name = `${origin.package}-${origin.version}`;
      await execute("tar", ["-xzf", await fetchTarball(work), "-C", work, `${name}/json`]);
      return join(work, name);
    });
    return { directory: join(directory, "json") };
  } catch (reason) {
    if (!isFetchFailure(reason)) throw reason;
    return { missing: `The suite could not be fetched with pip: ${reason.stderr}` };
  }
}

/** The groups of one file, for example `tests/draft2020-12/not.json`. */
export function readGroups(directory: string, file: string): readonly SuiteGroup[] {
  return JSON.parse(readFileSync(join(directory, file), "utf8")) as readonly SuiteGroup[];
}

/** Names of the files with tests in a folder, without those of folders inside. */
export function suiteFiles(directory: string, folder: string): readonly string[] {
  return readdirSync(join(directory, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => `${folder}/${entry.name}`)
    .toSorted();
}

/** The schemas that tests refer to by URI. */
export function readRemotes(directory: string): ReadonlyMap<string, string> {
  const remotes = join(directory, "remotes");
  const files = readdirSync(remotes, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const uri = `http://localhost:1234/${relative(remotes, path).split(sep).join("/")}`;
      return [uri, readFileSync(path, "utf8")];
    }),
  );
}

/** pip holds what it downloads against the digest; so do we. */
async function fetchTarball(work: string): Promise<string> {
  const requirements = join(work, "requirements.txt");
  const { package: name, version, digest } = origin;
  writeFileSync(requirements, `${name}==${version} --hash=sha256:${digest}\n`);
  const options = ["--no-deps", "--no-binary", name, "--requirement", requirements, "--dest", work];
  await execute("python3", ["-m", "pip", "download", "--quiet", ...options], { cwd: work });
  const tarball = join(work, `${name}-${version}.tar.gz`);
  const found = createHash("sha256").update(readFileSync(tarball)).digest("hex");
  if (found !== digest) throw new Error(`${name} ${version} has the digest ${found}, not the pinned one.`);
  return tarball;
}

/** A client that is not installed or that could not reach its registry; anything else is our mistake. */
function isFetchFailure(reason: unknown): reason is Error & { readonly stderr: string } {
  return reason instanceof Error && "stderr" in reason && "cmd" in reason;
}
