import { readFileSync } from "node:fs";
import { UsageError } from "@nodewright/terminal-text";

/** @throws {UsageError} with the message when the file can't be read. */
export function readText(file: string | URL | 0, message: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(message);
  }
}
