import { readFileSync } from "node:fs";
import { YamlReader } from "../basics/yaml-reader.ts";
import { UsageError } from "../basics/usage-error.ts";
import type { MayDiffer } from "../contract/may-differ.ts";

/**
 * Reads a file of what may differ between two targets: `format: 1` and a list `differences` of `operation`, `pointer` and `reason`.
 *
 * @throws {UsageError} where it can't be read or holds a mistake, with its line.
 */
export function readMayDiffer(file: string): readonly MayDiffer[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`The file ${file} of what may differ can't be read.`);
  }
  return parseMayDiffer(file, text);
}

/** @throws {UsageError} with the line of the first mistake. */
export function parseMayDiffer(file: string, text: string): readonly MayDiffer[] {
  const reader = new YamlReader(file, text);
  const { root } = reader;
  reader.known(root, ["format", "differences"]);
  if (reader.text(root, "format") !== "1") throw reader.mistake('"format" has to be 1', root.get("format", true));
  return reader.entries(root, "differences").map((entry): MayDiffer => {
    reader.known(entry, ["operation", "pointer", "reason"]);
    const pointer = reader.optionalText(entry, "pointer");
    return {
      operation: reader.text(entry, "operation"),
      ...(pointer === undefined ? {} : { pointer }),
      reason: reader.text(entry, "reason"),
    };
  });
}
