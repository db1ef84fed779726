import { isRecord } from "@nodewright/api-model";
import { elementOf, memberOf } from "../compare/member-facts.ts";
import { scopesOf } from "../live/leaves.ts";
import type { LiveValues } from "../live/live-values.ts";
import { plainName } from "../live/names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isValueOf } from "@nodewright/api-values";

/** Source of earlier responses. */
export interface SeenContext {
  readonly types: SuiteTypes;
  readonly operations: readonly { readonly name: string }[];
  readonly live: Pick<LiveValues, "resultsOf">;
}

/** Maximum number of strings of one name, and of responses of one operation. */
const keptValues = 5;
const keptResults = 3;
/** Maximum depth of visited values. */
const deepest = 8;

/**
 * Replaces generated strings within a parameter by values that responses had under the same name: an order of a generated `sku` refers to
 * nothing, one of a `sku` from a list refers to an existing object. The value remains valid against its type.
 */
export function withSeenLeaves(context: SeenContext, type: SuiteType, value: unknown): unknown {
  if ((typeof value !== "object" && typeof value !== "string") || value === null) return value;
  const { types } = context;
  const seen = seenLeaves(context);
  const replace = (ofType: SuiteType | undefined, current: unknown, name: string, depth: number): unknown => {
    if (depth > deepest) return current;
    if (Array.isArray(current))
      return current.map((item, index) => replace(elementOf(ofType, index, types), item, name, depth + 1));
    if (isRecord(current)) {
      const inner = (member: string): unknown =>
        replace(memberOf(ofType, member, types)?.type, current[member], member, depth + 1);
      return Object.fromEntries(Object.keys(current).map((member) => [member, inner(member)]));
    }
    if (ofType === undefined || typeof current !== "string") return current;
    const isFit = (candidate: string): boolean => isValueOf(ofType, candidate, types, "request");
    return seen.get(plainName(name))?.find(isFit) ?? current;
  };
  const replaced = replace(type, value, "", 0);
  return isValueOf(type, replaced, types, "request") ? replaced : value;
}

/** Returns strings of all responses so far, by their member names. */
export function seenLeaves({ operations, live, types }: SeenContext): ReadonlyMap<string, readonly string[]> {
  const responses = operations.flatMap(({ name }) => live.resultsOf(name).slice(0, keptResults));
  const texts = new Map<string, Set<string>>();
  for (const { type, value } of responses) {
    const scopes = scopesOf({ type, value, typeNames: [""], remoteTypeNames: [] }, types, undefined);
    for (const { name, value: text } of [...scopes].flatMap(({ leaves }) => leaves)) {
      const known = texts.get(name) ?? new Set();
      if (typeof text === "string" && known.size < keptValues) texts.set(name, known.add(text));
    }
  }
  return new Map([...texts].map(([name, some]) => [name, [...some]]));
}
