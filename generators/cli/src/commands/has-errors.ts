import type { GenerationResult } from "../generation/generate.ts";

/** Returns whether a document or the configuration has errors: then nothing is written. */
export function hasErrors({ diagnostics }: GenerationResult): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}
