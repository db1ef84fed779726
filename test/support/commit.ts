import { execFileSync } from "node:child_process";
import { root } from "./workspace.ts";

/**
 * Abbreviated hash of the commit that the working tree has, followed by " with changes" where files of it were changed. Documents do not
 * count: results are written into them.
 */
export function findCommit(): string {
  const git = (...parameters: readonly string[]): string =>
    execFileSync("git", parameters, { cwd: root, encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!*.md") !== "";
  return `${git("rev-parse", "--short=10", "HEAD")}${isChanged ? " with changes" : ""}`;
}
