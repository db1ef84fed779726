import { readFileSync } from "node:fs";

/** Returns the version of this package, for example `1.2.3`. */
export function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return version;
}
