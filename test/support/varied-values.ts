/** JSON values, the first of them given: what becomes of it when any part is left out, or is something else. At most `limit`. */
export function variedValues(value: unknown, limit = 300): readonly unknown[] {
  const found = new Map<string, unknown>([[JSON.stringify(value), value]]);
  for (const varied of variations(value, 4)) {
    if (found.size >= limit) break;
    found.set(JSON.stringify(varied), varied);
  }
  return [...found.values()];
}

const others: readonly unknown[] = [null, true, 0, -1, 1.5, 1e9, "", "x", "an odd text", [], ["x", "x"], {}, { x: 1 }];

function* variations(value: unknown, depth: number): Generator<unknown, void, undefined> {
  yield* others;
  if (depth === 0 || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    yield [...value, ...value];
    for (const [index, element] of value.entries())
      for (const varied of variations(element, depth - 1)) yield value.with(index, varied);
    return;
  }
  const entries = Object.entries(value);
  yield { ...value, "a name of nobody": 1 };
  for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name));
  for (const [name, member] of entries)
    for (const varied of variations(member, depth - 1)) yield { ...value, [name]: varied };
}
