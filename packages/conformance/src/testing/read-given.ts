import { type ConformArguments, readArguments, readCommandLine } from "../command/conform-arguments.ts";
import type { ConformProgram } from "../command/conform-options.ts";

/** Reads the words of a command line that plays a target. */
export function readGiven(
  words: readonly string[],
  program: ConformProgram = "nodewright conform",
  url = "http://x",
): ConformArguments {
  const stdout = { write: () => true };
  const line = readCommandLine(words, program, { stdout, stderr: stdout });
  if (line === undefined) throw new Error("There is nothing to play");
  return readArguments(line.values, url, program);
}
