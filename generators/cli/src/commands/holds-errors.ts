import type { GenerationResult } from "../generation/generate.ts";

/** Whether a document or the configuration is not right: then nothing is written. */
export function holdsErrors({ diagnostics }: GenerationResult): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}
