import { plainName } from "../compare/volatile-names.ts";
import type { Parameter } from "./list-roles.ts";

/**
 * Returns whether a refusal names several optional parameters: of alternatives one has to be given, others go together or not at all, which no
 * description of a parameter by itself can say.
 */
export function namesAlternatives(text: string, parameters: readonly Parameter[]): boolean {
  const words = new Set((text.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? []).map(plainName));
  return parameters.filter(({ required, name }) => !required && words.has(plainName(name))).length > 1;
}
