import type { CasePlay } from "../../contract/planned-case.ts";
import type { Input } from "../../properties/operation.ts";
import { callOf, type FieldSite } from "./field-site.ts";
import type { GraphqlRun, ValidatedResponse } from "./graphql-run.ts";
import type { ResponseError } from "./read-response.ts";
import { refusalOf } from "./refusal.ts";
import { type Selection, writeRequest } from "./selection.ts";

/** A call of a field with one of several inputs, and the response that has it under an alias. */
export interface FieldCall {
  readonly input: Input;
  readonly alias: string;
  readonly held: ValidatedResponse;
}

/** Maximum number of calls in one request: servers limit aliases. */
const mostAliases = 12;

/**
 * Calls a field under one alias for each input. When one nulls the data of others, these are called again, each alone if none is identified
 * as the cause.
 */
export async function callEach(
  run: GraphqlRun,
  site: FieldSite,
  play: CasePlay,
  inputs: readonly Input[],
  selections: readonly Selection[],
): Promise<readonly FieldCall[]> {
  const called = inputs.map((input, index) => ({ input, alias: `call${index}` }));
  const together = async (some: typeof called): Promise<readonly FieldCall[]> => {
    const calls = some.map(({ input, alias }) => callOf(site, input, { alias, selections }));
    const held = await run.execute(play, writeRequest(site.wrap(calls)));
    const failed = new Set(held.response.errors.flatMap(({ path }) => path ?? []));
    const left = some.filter(({ alias }) => !failed.has(alias));
    const all = some.map((one) => ({ ...one, held }));
    if (held.data !== undefined || left.length === 0 || some.length === 1) return all;
    if (["denied", "size"].includes(refusalOf(held.response))) return all;
    const again = new Map<string, FieldCall>();
    for (const group of left.length < some.length ? [left] : left.map((one) => [one]))
      for (const one of await together(group)) again.set(one.alias, one);
    return all.map((one) => again.get(one.alias) ?? one);
  };
  const calls: FieldCall[] = [];
  for (let start = 0; start < called.length; start += mostAliases)
    calls.push(...(await together(called.slice(start, start + mostAliases))));
  return calls;
}

/** Returns the errors of the called field itself, without those of members of its value. */
export function errorsOf({ alias, held }: Pick<FieldCall, "alias" | "held">): readonly ResponseError[] {
  return held.response.errors.filter(({ path }) => path?.at(-1) === alias);
}
