import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspacePackages } from "./workspace.ts";

/** The packages that people install to generate code and to run it, as the registry would hand them out. */
export interface PackedToolkit {
  /** Absolute paths of the tarballs. */
  readonly tarballs: readonly string[];
  remove(): void;
}

/** Directories of the packages that are packed besides the generators: those of the command in the README. */
function packedPackages(): ReadonlySet<string> {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, names = ""] =
    /npm pack --pack-destination DIR \.\/generators\/\* \.\/packages\/\{([^}]+)\}/.exec(readme) ?? [];
  return new Set(names.split(",").map((name) => `packages/${name}`));
}

/** Builds the toolkit in a copy of the workspace and packs it. Throws with what the compiler or npm says when that fails. */
export function packToolkit(): PackedToolkit {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-packed-"));
  const packed = packedPackages();
  const places = workspacePackages()
    .filter(({ directory: place }) => place.startsWith("generators/") || packed.has(place))
    .map((each) => ({ name: each.name, place: each.directory }));
  for (const part of [...places.map(({ place }) => place), "templates", "tsconfig.base.json"])
    cpSync(join(root, part), join(directory, part), {
      recursive: true,
      filter: (path) => !/\/(?:dist|node_modules)(?:\/|$)|\.tsbuildinfo$/.test(path.slice(root.length)),
    });
  linkModules(directory, places);
  run(directory, join(root, "node_modules/.bin/tsc"), ["--build", ...places.map(({ place }) => place)]);
  const target = join(directory, "tarballs");
  mkdirSync(target);
  const folders = places.map(({ place }) => `./${place}`);
  run(directory, "npm", ["pack", "--silent", "--pack-destination", target, ...folders]);
  return {
    tarballs: readdirSync(target).map((name) => join(target, name)),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Third-party packages are those of the workspace, our own those of the copy. */
function linkModules(directory: string, places: readonly { readonly name: string; readonly place: string }[]): void {
  const modules = join(directory, "node_modules");
  mkdirSync(join(modules, "@nodewright"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name === "@nodewright" || name === "nodewright") continue;
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  for (const { name, place } of places) {
    symlinkSync(join(directory, place), join(modules, name));
    // Versions that another package of the workspace has as well stand next to the package.
    if (existsSync(join(root, place, "node_modules")))
      symlinkSync(join(root, place, "node_modules"), join(directory, place, "node_modules"));
  }
}

function run(directory: string, program: string, parameters: readonly string[]): void {
  const { status, signal, stdout, stderr } = spawnSync(program, parameters, { cwd: directory, encoding: "utf8" });
  if (status !== 0)
    throw new Error(`${program} ${parameters.join(" ")} fails (${status ?? signal}): ${stdout}${stderr}`);
}
