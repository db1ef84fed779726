import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root: string = fileURLToPath(new URL("../..", import.meta.url));

export interface WorkspacePackage {
  /** From the root, with forward slashes. */
  readonly directory: string;
  readonly name: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

export function workspacePackages(): readonly WorkspacePackage[] {
  return ["generators", "packages"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => {
      const directory = `${parent}/${name}`;
      const manifest = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")) as Record<
        string,
        unknown
      >;
      return { directory, name: String(manifest["name"]), manifest };
    }),
  );
}

/** Paths of the TypeScript sources below a directory, from the root; tests included. */
export function sourceFiles(directory: string): readonly string[] {
  return readdirSync(join(root, directory, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${directory}/src/${path}`);
}
