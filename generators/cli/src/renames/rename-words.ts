import { posix } from "node:path";
import type { AmbiguousRename } from "./find-renames.ts";
import type { RenamePlan } from "./plan-renames.ts";

/** What is said about renames that stay open, one sentence each; `proposed` as the manifest keeps it. */
export function proposalSentences(proposed: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(proposed).map(([from, candidates]) => {
    const [first = "", ...others] = candidates;
    const command = `nodewright gen --apply-renames${others.length === 0 ? "" : ` ${from}=${first}`}`;
    return (
      `${from} looks renamed to ${candidates.join(" or ")}: run ${command}, ` +
      "or nodewright gen --no-renames for a stub of its own."
    );
  });
}

/** The files of people that a plan moves or changes, one line each. Paths are from the root. */
export function renameLines({ changes }: RenamePlan, root: string): readonly string[] {
  const from = (path: string): string => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
  return changes.map(({ before, after }) =>
    before.path === after.path
      ? `edited  ${from(after.path)}`
      : `moved   ${from(before.path)} to ${posix.basename(after.path)}`,
  );
}

/** For machines: every rename that stays open. */
export function proposedRenames(proposed: Readonly<Record<string, readonly string[]>>): readonly AmbiguousRename[] {
  return Object.entries(proposed).map(([from, candidates]) => ({ from, candidates }));
}
