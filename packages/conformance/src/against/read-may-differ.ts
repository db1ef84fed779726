import { readText } from "../basics/read-text.ts";
import { YamlReader } from "../basics/yaml-reader.ts";
import type { MayDiffer } from "../contract/options.ts";

/**
 * Reads a file of permitted differences between two targets: `format: 1` and a list `differences` of `operation`, `pointer` and `reason`.
 *
 * @throws {UsageError} where it cannot be read or is invalid, with the line.
 */
export function readMayDiffer(file: string): readonly MayDiffer[] {
  return parseMayDiffer(file, readText(file, `The file ${file} of what may differ can't be read.`));
}

/** @throws {UsageError} with the line of the first mistake. */
export function parseMayDiffer(file: string, text: string): readonly MayDiffer[] {
  const reader = new YamlReader(file, text);
  reader.head({}, ["differences"]);
  return reader.list("differences", { operation: "text", pointer: "text?", reason: "text" });
}
