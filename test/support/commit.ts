import { execFileSync } from "node:child_process";
import { root } from "./workspace.ts";

/** Sources: everything but documents and survivors.jsonl, which results are written into. */
const sources = ["--", ".", ":!*.md", ":!test/mutation-testing/survivors.jsonl"] as const;

/**
 * Returns the abbreviated hash of the last commit that changed sources, followed by " with changes" where sources of the working tree are
 * modified. Neither written results nor commits of them change it, so that a run can be resumed after them.
 */
export function findCommit(directory: string = root): string {
  const git = (...parameters: readonly string[]): string =>
    execFileSync("git", parameters, { cwd: directory, encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--untracked-files=no", ...sources) !== "";
  return `${git("log", "-1", "--format=%h", "--abbrev=10", ...sources)}${isChanged ? " with changes" : ""}`;
}
