import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Folders without hand-written sources. */
const leftOut: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "coverage"]);

/**
 * Returns the paths of the TypeScript sources below a directory, including nested packages, without declaration files and hidden folders.
 */
export function listSourceFiles(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return leftOut.has(entry.name) || entry.name.startsWith(".") ? [] : listSourceFiles(path);
    return entry.isFile() && /\.[cm]?tsx?$/.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name) ? [path] : [];
  });
}
