import type { CommandEnd } from "./command-options.ts";

export async function explain(_options: {
  readonly code: string | undefined;
  readonly json: boolean;
}): Promise<CommandEnd> {
  return { exitCode: 0 };
}
