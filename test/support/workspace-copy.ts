import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspacePackages } from "./workspace.ts";

/** A copy of the workspace in which a test may edit documents, generators and handlers. */
export interface WorkspaceCopy {
  readonly directory: string;
  /** Runs a Node script of the copy, from its sources. */
  node(...parameters: readonly string[]): {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
  /** `nodewright` of the copy on the configuration of the copy. */
  nodewright(...parameters: readonly string[]): ReturnType<WorkspaceCopy["node"]>;
  /** Typechecks the copy as `npm run typecheck` does; gives what the compiler says. */
  typecheck(): string;
  remove(): void;
}

const copied = [
  "generators",
  "packages",
  "specs",
  "templates",
  // Tests next to the sources measure with it.
  "test/support/cpu-time.ts",
  "nodewright.config.ts",
  "package.json",
  "tsconfig.base.json",
  "tsconfig.test.json",
  "biome.json",
];

/** Copies the sources and `more` of the workspace; third-party packages are linked, our own are those of the copy. */
export function copyWorkspace(more: readonly string[] = []): WorkspaceCopy {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-workspace-"));
  for (const part of [...copied, ...more]) {
    if (!existsSync(join(root, part))) continue;
    cpSync(join(root, part), join(directory, part), {
      recursive: true,
      filter: (path) => !/\/(dist|demo\/bitcoin-mainnet)(\/|$)/.test(path),
    });
  }
  linkModules(directory);
  const node: WorkspaceCopy["node"] = (...parameters) =>
    spawnSync(process.execPath, ["--conditions=source", ...parameters], {
      cwd: directory,
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
  return {
    directory,
    node,
    nodewright: (...parameters) => node(join(directory, "generators/cli/src/main.ts"), ...parameters),
    typecheck: () =>
      spawnSync(join(root, "node_modules/.bin/tsc"), ["--project", "tsconfig.test.json"], {
        cwd: directory,
        encoding: "utf8",
      }).stdout,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function linkModules(directory: string): void {
  const modules = join(directory, "node_modules");
  mkdirSync(join(modules, "@nodewright"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name === "@nodewright" || name === "nodewright") continue;
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  for (const { name, directory: place } of workspacePackages())
    symlinkSync(join(directory, place), join(modules, name));
}
