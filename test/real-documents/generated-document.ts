import { spawn } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../support/workspace.ts";

/** What generating a document gave, and what it took. */
export interface GeneratedDocument {
  /** Holds the document and `api/src/gen`. */
  readonly directory: string;
  readonly status: number | null;
  /** The command's report. */
  readonly report: GenerationReport;
  readonly stderr: string;
}

export interface GenerationReport {
  readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly message: string }[];
}

/** Generates from a document with the command line, below the repository so that its packages are found. */
export async function generateDocument(path: string): Promise<GeneratedDocument> {
  const name = basename(path);
  const directory = join(root, ".cache/real-documents", name.replace(/\..*$/, ""));
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, "api"), { recursive: true });
  symlinkSync(path, join(directory, name));
  writeFileSync(join(directory, "api/package.json"), '{ "name": "tried-api", "type": "module" }\n');
  const config = { documents: [{ source: name, package: "api" }] };
  writeFileSync(join(directory, "nodewright.config.ts"), `export default ${JSON.stringify(config)};\n`);
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(compilerOptions));
  const { status, stdout, stderr } = await run(process.execPath, [
    "--conditions=source",
    join(root, "generators/cli/src/main.ts"),
    "gen",
    "--json",
    "--config",
    join(directory, "nodewright.config.ts"),
  ]);
  const report = (stdout === "" ? { diagnostics: [] } : JSON.parse(stdout)) as GenerationReport;
  return { directory, status, report, stderr };
}

/** What the compiler says of the generated code, line by line; nothing when it has no fault to find. */
export async function typecheck({ directory }: GeneratedDocument): Promise<readonly string[]> {
  const { status, stdout } = await run(join(root, "node_modules/.bin/tsc"), ["--project", directory]);
  return status === 0 ? [] : stdout.split("\n").filter((line) => line !== "");
}

/** Runs a script of this folder on a generated document; it prints one JSON value. */
export async function play<Result>(
  script: string,
  { directory }: GeneratedDocument,
  document: string,
): Promise<Result> {
  const { status, stdout, stderr } = await run(process.execPath, [
    "--conditions=source",
    join(root, "test/real-documents", script),
    join(directory, basename(document)),
    join(directory, "api/src/gen"),
  ]);
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr.slice(0, 4000)}`);
  return JSON.parse(stdout) as Result;
}

/** `--strict` and what a careful project adds, over the generated files and the sources of the runtime that they import. */
const compilerOptions = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    module: "nodenext",
    target: "esnext",
    lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
    types: ["node"],
    skipLibCheck: true,
    customConditions: ["source"],
    allowImportingTsExtensions: true,
  },
  include: ["api/src/gen/**/*.ts"],
};

function run(
  command: string,
  parameters: readonly string[],
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...parameters], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8");
      child[stream].on("data", (text: string) => {
        output[stream] += text;
      });
    }
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, ...output }));
  });
}
