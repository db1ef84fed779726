import { UsageError } from "@nodewright/terminal-text";
import type { Rename } from "./find-renames.ts";
import type { RenameDecision } from "./plan-renames.ts";

/**
 * Parses the options about renames: `--apply-renames`, `--apply-renames getPet=fetchPet,listPets=pets`, `--no-renames`. Throws a
 * `UsageError` for anything else.
 */
export function readRenameDecision(apply: string | undefined, isLookedFor: boolean): RenameDecision {
  if (!isLookedFor) {
    if (apply !== undefined) throw new UsageError("--apply-renames and --no-renames say opposite things.");
    return { kind: "ignore" };
  }
  if (apply === undefined) return { kind: "propose" };
  const words = apply.split(",").filter((word) => word !== "");
  return words.length === 0 ? { kind: "apply-sure" } : { kind: "apply", renames: words.map(readRename) };
}

/** Throws a `UsageError` for requested renames that no document contains. */
export function assertRenamesFound(choice: RenameDecision, applied: readonly Rename[]): void {
  if (choice.kind !== "apply") return;
  const found = new Set(applied.map(({ from, to }) => `${from}=${to}`));
  const missing = choice.renames.filter(({ from, to }) => !found.has(`${from}=${to}`));
  if (missing.length === 0) return;
  const sentences = missing.map(
    ({ from, to }) =>
      `  ${from}=${to}: there has to be a handler of ${from}, which no document has any more, and no handler of ${to}, which is new.`,
  );
  throw new UsageError(["These renames cannot be applied, and nothing was written:", ...sentences].join("\n"), 1);
}

function readRename(word: string): Rename {
  const [from = "", to = "", ...rest] = word.split("=");
  if (from === "" || to === "" || rest.length > 0)
    throw new UsageError(`--apply-renames takes old=new, not "${word}": --apply-renames getPet=fetchPet.`);
  return { from, to };
}
