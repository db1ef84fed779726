import type { SampledValue } from "./sample-value.ts";

/** Places of a value at which it is changed, so that large values do not take forever. */
const maximumPlaces = 40;

const replacements: readonly SampledValue[] = [null, "", "text", 0, -1, 1.5, true, [], {}];

/** The value itself, then the same with one place changed: a member left out, added, or of another kind. */
export function* mutations(value: SampledValue): Generator<SampledValue> {
  yield value;
  let places = 0;
  for (const path of paths(value, [])) {
    places += 1;
    if (places > maximumPlaces) return;
    yield without(value, path);
    for (const replacement of replacements) yield replaced(value, path, replacement);
  }
  if (isRecord(value)) yield { ...value, "a member that nobody described": 1 };
}

/** How many values `mutations` gives, but for the value itself. */
export function mutationCount(value: SampledValue): number {
  const [...places] = paths(value, []);
  return Math.min(places.length, maximumPlaces) * (replacements.length + 1) + (isRecord(value) ? 1 : 0);
}

type Path = readonly string[];

function* paths(value: SampledValue, path: Path): Generator<Path> {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
  for (const [name, member] of Object.entries(value)) {
    yield [...path, name];
    yield* paths(member as SampledValue, [...path, name]);
  }
}

function replaced(value: SampledValue, [name, ...rest]: Path, replacement: SampledValue): SampledValue {
  if (name === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item: SampledValue, index) =>
      String(index) === name ? replaced(item, rest, replacement) : item,
    );
  const record = value as Readonly<Record<string, SampledValue>>;
  return { ...record, [name]: replaced(record[name] ?? null, rest, replacement) };
}

function without(value: SampledValue, [name, ...rest]: Path): SampledValue {
  if (Array.isArray(value)) {
    if (rest.length === 0) return value.filter((_, index) => String(index) !== name);
    return value.map((item: SampledValue, index) => (String(index) === name ? without(item, rest) : item));
  }
  const record = value as Readonly<Record<string, SampledValue>>;
  if (name === undefined) return value;
  if (rest.length > 0) return { ...record, [name]: without(record[name] ?? null, rest) };
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));
}

function isRecord(value: SampledValue): value is Readonly<Record<string, SampledValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
