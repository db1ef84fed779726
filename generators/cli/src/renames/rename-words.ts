import { posix } from "node:path";
import type { AmbiguousRename } from "./find-renames.ts";
import type { RenamePlan } from "./plan-renames.ts";

/** Returns the messages about open renames, one sentence each; `proposed` as the manifest stores it. */
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

/** Returns one line for each hand-written file that a plan moves or changes. Paths are relative to the root. */
export function renameLines({ changes }: RenamePlan, root: string): readonly string[] {
  const from = (path: string): string => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
  return changes.map(({ before, after }) =>
    before.path === after.path
      ? `edited  ${from(after.path)}`
      : `moved   ${from(before.path)} to ${posix.basename(after.path)}`,
  );
}

/** Returns every open rename in machine-readable form. */
export function proposedRenames(proposed: Readonly<Record<string, readonly string[]>>): readonly AmbiguousRename[] {
  return Object.entries(proposed).map(([from, candidates]) => ({ from, candidates }));
}
