const maximumDepth = 500;

/**
 * Returns a string that two JSON values share exactly when they are equal according to JSON Schema (2020-12, section 4.2.2): numbers by
 * value, objects whatever the order of their members. Extremely deep nesting is cut off.
 */
export function canonicalText(value: unknown): string {
  return textOf(value, 0);
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return numberText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (depth > maximumDepth) return "…";
  if (value instanceof Uint8Array) return `<${value.join()}>`;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(textOf(item, depth + 1));
    return `[${parts.join()}]`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member !== undefined) parts.push(`${JSON.stringify(name)}:${textOf(member, depth + 1)}`);
  }
  return `{${parts.join()}}`;
}

/** Returns the string of a number: the same for a double beyond 2^53 and the bigint of the same value, and for 0 and -0. */
function numberText(value: number): string {
  if (value === 0) return "0";
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return BigInt(value).toString();
  return String(value);
}

/** Returns whether two JSON values are equal. */
export function isEqualJson(left: unknown, right: unknown): boolean {
  return left === right || canonicalText(left) === canonicalText(right);
}
