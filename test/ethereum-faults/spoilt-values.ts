/** Where something stands in an answer: names of members and positions in lists. */
export type ValuePath = readonly (string | number)[];

/** Ways in which a node may get a value wrong; `undefined` leaves the member out. */
export const spoilings: Readonly<Record<string, (value: unknown) => unknown>> = {
  "left out": () => undefined,
  null: () => null,
  "a number": () => 12,
  "a negative number": () => -1,
  "an empty text": () => "",
  "0x": () => "0x",
  "another text": () => "oops",
  "not hexadecimal": () => "0xzz",
  "a huge number": () => `0x${"f".repeat(100)}`,
  "an empty object": () => ({}),
  "an empty list": () => [],
  "a list of null": () => [null],
  "a list of texts": () => ["oops"],
  true: () => true,
  "another value": (value) => (typeof value === "string" ? otherText(value) : value),
};

/** Another value of the same form. */
function otherText(text: string): string {
  const last = text.at(-1) === "1" ? "2" : "1";
  return /^0x./.test(text) ? text.slice(0, -1) + last : text;
}

/** All places of an answer, where lists are represented by their first and their last element. */
export function pathsOf(value: unknown, path: ValuePath = []): readonly ValuePath[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...new Set([0, value.length - 1])].filter((at) => at >= 0).map((at) => [at, value[at] as unknown])
    : Object.entries(value);
  return [path, ...entries.flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

/** A copy of an answer in which the value at one place is another. */
export function changeAt(value: unknown, [name, ...rest]: ValuePath, change: (value: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const changed = changeAt(copy[name], rest, change);
  if (changed !== undefined) copy[name] = changed;
  else if (Array.isArray(copy)) copy.splice(Number(name), 1);
  else delete copy[name];
  return copy;
}
