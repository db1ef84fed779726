import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { root } from "../support/workspace.ts";
import { measureNode, type ProcessCost } from "./measure.ts";

/** A project of a user with one document. */
export interface Project {
  /** The directory that the generator owns. */
  readonly output: string;
  write(text: string): void;
  /** As if nothing had ever been generated here: output and cache are gone. */
  clean(): void;
  /** Throws when there is an error. */
  generate(): ProcessCost;
  /** Runs `gen`, with more options if need be, however it ends. */
  run(...options: readonly string[]): ProcessCost;
}

export interface ProjectOptions {
  /** Path of the document, or its text as JSON. */
  readonly document?: string;
  readonly text?: string;
  readonly artefacts: readonly string[];
}

const bin = join(root, "generators/cli/dist/main.js");

/** Makes the one project that the benchmark works in; an earlier one is gone. */
export function createProject({ document, text = "", artefacts }: ProjectOptions): Project {
  const directory = join(root, ".cache/benchmarks/project");
  rmSync(directory, { recursive: true, force: true });
  const source = `document${document === undefined ? ".json" : extname(document)}`;
  const config = { documents: [{ source, package: ".", artefacts }] };
  // A directory of modules of its own, so that what the generator keeps there goes with the project.
  mkdirSync(join(directory, "node_modules"), { recursive: true });
  writeFileSync(join(directory, "package.json"), '{ "name": "project", "private": true, "type": "module" }\n');
  writeFileSync(join(directory, "nodewright.config.ts"), `export default ${JSON.stringify(config)};\n`);
  if (document === undefined) writeFileSync(join(directory, source), text);
  else copyFileSync(document, join(directory, source));
  const run = (...options: readonly string[]): ProcessCost =>
    measureNode([bin, "gen", "--config", join(directory, "nodewright.config.ts"), ...options]);
  return {
    run,
    output: join(directory, "src/gen"),
    write: (changed) => writeFileSync(join(directory, source), changed),
    clean() {
      for (const path of ["src", "node_modules/.cache"])
        rmSync(join(directory, path), { recursive: true, force: true });
    },
    generate() {
      const cost = run();
      if (cost.status !== 0) throw new Error(`${cost.stdout}\n${cost.stderr.slice(0, 10_000)}`);
      return cost;
    },
  };
}
