import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packToolkit } from "./packed-toolkit.ts";

/** A folder outside of the repository in which the toolkit is installed from its packages, as anybody would. */
export interface InstalledToolkit {
  readonly directory: string;
  read(path: string): string;
  write(path: string, text: string): void;
  has(path: string): boolean;
  /** Copies files of somewhere else into the folder. */
  copy(from: string, to: string): void;
  /** Runs a program in the folder, with Node and nothing of the repository. Throws with what it says unless it succeeds. */
  run(program: string, ...parameters: readonly string[]): string;
  /** Leaves the folder as it was when the toolkit had been installed. */
  empty(): void;
  remove(): void;
}

/** Whether npm can fetch third-party packages; says loudly when it cannot. */
export function canInstall(): boolean {
  const { status } = spawnSync("npm", ["view", "zod@4", "version", "--fetch-retries=0", "--fetch-timeout=10000"], {
    encoding: "utf8",
  });
  if (status !== 0) console.warn("npm reaches no registry: the tests of the installed toolkit are skipped.");
  return status === 0;
}

/** Packs the toolkit and installs it beside these packages of others, in a folder that was empty. */
export function installToolkit(...others: readonly string[]): InstalledToolkit {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-installed-"));
  const kept = new Map<string, string>();
  const toolkit = folderIn(directory, kept);
  const packed = packToolkit();
  try {
    toolkit.run("npm", "init", "--yes");
    toolkit.run("npm", "pkg", "set", "type=module");
    toolkit.run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", ...packed.tarballs, ...others);
  } finally {
    packed.remove();
  }
  for (const name of ["package.json", "package-lock.json"]) kept.set(name, toolkit.read(name));
  return toolkit;
}

function folderIn(directory: string, kept: ReadonlyMap<string, string>): InstalledToolkit {
  const path = (name: string): string => join(directory, name);
  return {
    directory,
    read: (name) => readFileSync(path(name), "utf8"),
    write(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    has: (name) => existsSync(path(name)),
    copy: (from, to) => cpSync(from, path(to), { recursive: true }),
    run(program, ...parameters) {
      const { status, stdout, stderr } = spawnSync(program, parameters, {
        cwd: directory,
        encoding: "utf8",
        maxBuffer: 1 << 26,
        env: { ...process.env, NODE_OPTIONS: "" },
      });
      if (status !== 0)
        throw new Error(`${program} ${parameters.join(" ")} fails: ${`${stdout}${stderr}`.slice(0, 5000)}`);
      return stdout;
    },
    empty() {
      for (const name of readdirSync(directory)) {
        if (name !== "node_modules") rmSync(path(name), { recursive: true });
      }
      for (const [name, text] of kept) writeFileSync(path(name), text);
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
