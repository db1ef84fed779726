import { isBuiltin } from "node:module";

/**
 * An npm name for a package in a directory of any name: what people read in it, in the characters that npm takes. Names of
 * Node's own modules are lengthened, since imports would not find the package by them.
 */
export function packageNameOf(directory: string): string {
  const name = directory
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, "-")
    .replace(/^[._~-]+/, "")
    .slice(0, longest)
    .replace(/[._~-]+$/, "");
  if (name === "") return "api";
  return isBuiltin(name) || taken.has(name) ? `${name}-api` : name;
}

/** npm takes 214 characters; some are left for what is put behind. */
const longest = 200;

/** Names that npm refuses. */
const taken: ReadonlySet<string> = new Set(["node_modules", "favicon.ico"]);
