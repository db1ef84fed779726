import { isRecord } from "@nodewright/api-model";
import { elementOf, memberOf } from "../compare/member-facts.ts";
import { scopesOf } from "../live/leaves.ts";
import type { LiveValues } from "../live/live-values.ts";
import { plainName } from "../live/names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isValueOf } from "@nodewright/api-values";

/** What responses are looked up in. */
export interface SeenContext {
  readonly types: SuiteTypes;
  readonly operations: readonly { readonly name: string }[];
  readonly live: Pick<LiveValues, "answersOf">;
}

/** Texts of one name that are kept, and responses of one operation that are looked into. */
const keptValues = 5;
const keptAnswers = 3;
/** Values that nest deeper are not looked into. */
const deepest = 8;

/**
 * Puts values that answers had under the same name in place of made-up ones inside of a parameter: an order of `sku` X names nothing
 * that is there, one of a `sku` out of a list does. The value stays one of its type.
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

/** Texts of all responses so far, by the name under which they stood. */
export function seenLeaves({ operations, live, types }: SeenContext): ReadonlyMap<string, readonly string[]> {
  const answers = operations.flatMap(({ name }) => live.answersOf(name).slice(0, keptAnswers));
  const texts = new Map<string, Set<string>>();
  for (const { type, value } of answers) {
    const scopes = scopesOf({ type, value, things: [""], remoteThings: [] }, types, undefined);
    for (const { name, value: text } of [...scopes].flatMap(({ leaves }) => leaves)) {
      const known = texts.get(name) ?? new Set();
      if (typeof text === "string" && known.size < keptValues) texts.set(name, known.add(text));
    }
  }
  return new Map([...texts].map(([name, some]) => [name, [...some]]));
}
