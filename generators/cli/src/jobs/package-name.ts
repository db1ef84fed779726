import { isBuiltin } from "node:module";

/**
 * Returns an npm name for a package in a directory of any name: its readable parts, in the characters that npm allows. Names of Node's own
 * modules are extended, because imports would not resolve to the package.
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

/** Maximum length of the name; npm allows 214 characters, and some are reserved for a suffix. */
const longest = 200;

/** Names that npm rejects. */
const taken: ReadonlySet<string> = new Set(["node_modules", "favicon.ico"]);
