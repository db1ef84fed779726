import { canonicalText } from "@nodewright/api-model";
import { withPlace } from "../suite/with-place.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { UniqueNames } from "./kebab-case.ts";
import { createRandom } from "./random.ts";
import { sampleOf } from "./sample-value.ts";
import type { WrongValue } from "./value-contract.ts";
import { isValueOf, violationsOf } from "./violations.ts";
import { WrongMaker } from "./wrong-candidates.ts";

const maximumWrong = 120;

/**
 * Values that a type refuses in a request: for every constraint some that break it, made from `base` where it is a value of the type.
 * Those that a careless server overlooks come first: bounds, patterns, missing members; then other kinds of values.
 */
export function wrongValuesOf(type: SuiteType, types: SuiteTypes, base: unknown): readonly WrongValue[] {
  const random = createRandom("wrong values");
  const start = isValueOf(type, base, types, "request") ? base : sampleOf(type, types, random);
  const candidates = new WrongMaker(types, random).wrongsOf(type, start, 0);
  const names = new UniqueNames();
  const seen = new Set<string>();
  const wrong: WrongValue[] = [];
  for (const { name, value } of [...candidates].sort((left, right) => left.worth - right.worth)) {
    if (wrong.length >= maximumWrong) break;
    const text = canonicalText(value);
    if (seen.has(text)) continue;
    seen.add(text);
    const [violation] = violationsOf(type, value, types, "request");
    if (violation === undefined) continue;
    const { keyword, place } = violation;
    wrong.push({ name: names.take(name), value, keyword, ...withPlace(place) });
  }
  return wrong;
}
