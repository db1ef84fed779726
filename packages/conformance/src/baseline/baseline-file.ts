import { readFileSync } from "node:fs";
import { UsageError } from "../basics/usage-error.ts";

/**
 * Reads the text of a baseline; empty where there is no file yet and one is going to be written.
 *
 * @throws {UsageError} where it can't be read.
 */
export function readBaselineText(file: string, mayBeMissing: boolean): string {
  try {
    return readFileSync(file, "utf8");
  } catch (reason) {
    const isMissing = reason instanceof Error && "code" in reason && reason.code === "ENOENT";
    if (isMissing && mayBeMissing) return "";
    throw new UsageError(
      isMissing ? `There is no baseline ${file}: --update-baseline writes one.` : `The baseline ${file} can't be read.`,
    );
  }
}
