// Servers that are right, written with the frameworks that people use and described by the documents that these frameworks generate:
// what `conform` reports of one of them is a false alarm.
//
// A folder of a runtime (`python`, `go`, …) holds `environment.json`, which says how the pinned packages of its servers are installed, and
// a folder for each server with its sources and a `manifest.json`.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** How the servers of a runtime are installed. `$CACHE` in a word is the folder that they are installed into. */
interface Environment {
  /** Files next to it that pin the packages; they are copied to `$CACHE`. */
  readonly files: readonly string[];
  /** Commands that run in `$CACHE`. */
  readonly install: readonly (readonly string[])[];
  /** Environment variables of the servers. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A finding that is right: the framework breaks its protocol, or its generated document is wrong about it. */
export interface ExpectedFinding {
  readonly rule: string;
  /** Part of the message. */
  readonly message: string;
  readonly reason: string;
}

/** `manifest.json`, with the place of its server. */
export interface CorrectServer {
  /** Name of its folder. */
  readonly name: string;
  /** Name of the folder of its runtime. */
  readonly runtime: string;
  /** Name and version. */
  readonly framework: string;
  readonly language: string;
  /** Commands that build it, in a copy of its folder below that of its runtime's packages. */
  readonly build?: readonly (readonly string[])[];
  /** Command that starts it there. `$PORT`, an environment variable as well, is the port to listen on at 127.0.0.1. */
  readonly start: readonly string[];
  /** Path of its document at the server, name of a file next to its sources, or `introspection`. */
  readonly document: string;
  /** Path that the document's operations stand below. */
  readonly endpoint?: string;
  /** Whether it is started in continuous integration too. */
  readonly ci: boolean;
  readonly expected?: readonly ExpectedFinding[];
}

/** Returns all servers, or those of continuous integration. */
export function listCorrectServers(tier: "ci" | "long"): readonly CorrectServer[] {
  return directoriesIn(here)
    .flatMap((runtime) =>
      directoriesIn(join(here, runtime)).map((name): CorrectServer => {
        const manifest = readJson(join(here, runtime, name, "manifest.json")) as Omit<
          CorrectServer,
          "name" | "runtime"
        >;
        return { ...manifest, name, runtime };
      }),
    )
    .filter(({ ci }) => ci || tier === "long");
}

/** Returns the folder below `cache` with the packages of a runtime at the versions that its files pin. */
export function installationOf(runtime: string, cache: string): string {
  const { files, install } = readEnvironment(runtime);
  const digest = createHash("sha256").update(JSON.stringify(install));
  for (const file of files) digest.update(readFileSync(join(here, runtime, file)));
  return join(cache, `${runtime}-${digest.digest("hex").slice(0, 12)}`);
}

/** Installs the packages of a runtime unless they are there. Throws with what was printed when a command fails. */
export function installRuntime(runtime: string, cache: string): void {
  const place = installationOf(runtime, cache);
  const stamp = join(place, "installed");
  if (existsSync(stamp)) return;
  const { files, install } = readEnvironment(runtime);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const file of files) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), readFileSync(join(here, runtime, file)));
  }
  for (const words of install)
    run(
      words.map((word) => word.replaceAll("$CACHE", place)),
      place,
    );
  writeFileSync(stamp, "");
}

/** What starts a server that is installed and built. */
export interface StartCommand {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Builds a server below the packages of its runtime and returns what starts it at a port. Throws when a command fails. */
export function buildServer(
  { runtime, name, build = [], start }: CorrectServer,
  cache: string,
  port: number,
): StartCommand {
  const place = installationOf(runtime, cache);
  const workingDirectory = join(place, name);
  cpSync(join(here, runtime, name), workingDirectory, { recursive: true });
  for (const words of build) run(words, workingDirectory);
  const fill = (word: string): string => word.replaceAll("$PORT", String(port)).replaceAll("$CACHE", place);
  const [path = "", ...parameters] = start.map(fill);
  const { environment } = readEnvironment(runtime);
  const variables = Object.entries(environment).map(([variable, value]) => [variable, fill(value)]);
  return {
    path: programOf(path),
    parameters,
    workingDirectory,
    environment: { PORT: String(port), ...Object.fromEntries(variables) },
  };
}

/** Returns the text of a document that stands next to the sources of its server. */
export function readOwnDocument({ runtime, name, document }: CorrectServer): string {
  return readFileSync(join(here, runtime, name, document), "utf8");
}

/** Runs a command to its end. Throws with what it printed when it fails. */
function run([name = "", ...parameters]: readonly string[], workingDirectory: string): void {
  const { status, stdout, stderr, error } = spawnSync(programOf(name), parameters, {
    cwd: workingDirectory,
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`${name} ${parameters.join(" ")} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}

/** Node is the one that runs this. */
function programOf(name: string): string {
  return name === "node" ? process.execPath : name;
}

function readEnvironment(runtime: string): Environment {
  return readJson(join(here, runtime, "environment.json")) as Environment;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function directoriesIn(place: string): readonly string[] {
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
