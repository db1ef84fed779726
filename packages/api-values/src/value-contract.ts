import { canonicalText, type Place } from "@nodewright/api-model";
import { UniqueNames } from "./kebab-case.ts";

/** A generated value with a name that describes it. */
export interface NamedValue {
  /** kebab-case, unique among those of one type: part of the names of cases. */
  readonly name: string;
  readonly value: unknown;
}

/** A value that is invalid against its type. */
export interface InvalidValue extends NamedValue {
  /** JSON Schema keyword that it violates. */
  readonly keyword: string;
  readonly place?: Place | undefined;
}

/** Returns the first candidates for which `factsOf` returns facts, each value once and with a unique name. */
export function distinctValues<Facts>(
  candidates: Iterable<NamedValue>,
  most: number,
  factsOf: (value: unknown) => Facts | undefined,
): readonly (NamedValue & Facts)[] {
  const names = new UniqueNames();
  const seen = new Set<string>();
  const found: (NamedValue & Facts)[] = [];
  for (const { name, value } of candidates) {
    if (found.length >= most) break;
    const text = canonicalText(value);
    const facts = seen.has(text) ? undefined : factsOf(value);
    seen.add(text);
    if (facts !== undefined) found.push({ name: names.take(name), value, ...facts });
  }
  return found;
}
