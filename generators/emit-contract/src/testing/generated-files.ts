import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EmittedFile } from "@nodewright/model";
import { afterAll } from "vitest";

const require = createRequire(import.meta.url);
const repository = fileURLToPath(new URL("../../../../", import.meta.url));

/** Emitted files on disk inside the repository, where their imports resolve; removed when the tests of the requesting file are done. */
export interface GeneratedFiles {
  readonly directory: string;
  load(path: string): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the output of the formatter and the linter; empty when they report nothing. */
  styleComplaints(): string;
  /** Returns the output of the compiler under the repository's options; empty when it reports nothing. */
  typeErrors(): string;
}

const directories: string[] = [];

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

export function writeGeneratedFiles(files: readonly EmittedFile[]): GeneratedFiles {
  const cache = join(repository, ".cache");
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "generated-"));
  directories.push(directory);
  for (const { path, text } of files) writeFileSync(join(directory, path), text);
  return {
    directory,
    // Loaded by Node itself, which only strips the types.
    load: async (path) => require(join(directory, path)),
    styleComplaints() {
      const configuration = join(repository, "biome.json");
      const options = ["--config-path", configuration, "--vcs-enabled=false", "--error-on-warnings"];
      return ["format", "lint"]
        .map((command) => outputOf("biome", [command, ...options, directory]))
        .filter((output) => output !== "")
        .join("\n");
    },
    typeErrors() {
      const project = join(directory, "tsconfig.json");
      const base = join(repository, "tsconfig.test.json");
      writeFileSync(project, JSON.stringify({ extends: base, include: ["*.ts"], exclude: [] }));
      const errors = outputOf("tsc", ["--project", project]);
      rmSync(project);
      return errors;
    },
  };
}

/** Returns the output of a failing tool; empty when it succeeds. */
function outputOf(tool: string, options: readonly string[]): string {
  try {
    execFileSync(join(repository, "node_modules", ".bin", tool), options, { encoding: "utf8", stdio: "pipe" });
    return "";
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  }
}
