import { normalize } from "node:path";
import type { CommandOptions, GenOptions } from "../commands/command-options.ts";
import { configName } from "../configuration/config-name.ts";

/** A command line in its plain form. */
export type PlainCommand =
  | { readonly name: "gen"; readonly options: GenOptions }
  | { readonly name: "check"; readonly options: CommandOptions };

const commonFlags: ReadonlySet<string> = new Set(["--json", "--verbose"]);
const genFlags: ReadonlySet<string> = new Set([...commonFlags, "--force", "--dry-run", "--watch"]);
const namedOnce: ReadonlySet<string> = new Set(["--config", "--output"]);

/** Matches words that every parser reads as themselves: no option, number, boolean or quoted string. */
const plainWord = /^(?!-|(?:true|false)$)[\w./@ -]*[A-Za-z_][\w./@ -]*$/;

/**
 * Reads the command lines that are used nearly always: `gen` or `check` with documents and options in their plain form, each once. The
 * library that reads all others takes longer to load than an unchanged run takes; returns undefined for those, including mistakes.
 */
export function readPlainWords([name, ...words]: readonly string[]): PlainCommand | undefined {
  if (name !== "gen" && name !== "check") return undefined;
  const known = name === "gen" ? genFlags : commonFlags;
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const documents: string[] = [];
  const only: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (known.has(word) && !flags.has(word)) flags.add(word);
    else if (plainWord.test(word)) documents.push(word);
    else if (word === "--only" || (namedOnce.has(word) && !values.has(word))) {
      at += 1;
      const value = words[at] ?? "";
      if (!plainWord.test(value)) return undefined;
      if (word === "--only") only.push(value);
      else values.set(word, normalize(value));
    } else return undefined;
  }
  const config = values.get("--config");
  const common: CommandOptions = {
    config: config ?? configName,
    isConfigNamed: config !== undefined,
    documents,
    output: values.get("--output"),
    only,
    referenceFolders: [],
    json: flags.has("--json"),
    verbose: flags.has("--verbose"),
  };
  if (name === "check") return { name, options: common };
  const options = {
    ...common,
    force: flags.has("--force"),
    dryRun: flags.has("--dry-run"),
    watch: flags.has("--watch"),
    applyRenames: undefined,
    renames: true,
  };
  return { name, options };
}
