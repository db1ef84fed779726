import type { CommandEnd, GenOptions } from "./command-options.ts";
import { gen } from "./gen.ts";

/** placeholder while watch is written */
export async function watch(options: GenOptions): Promise<CommandEnd> {
  return gen(options);
}
