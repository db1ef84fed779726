const maximumDepth = 500;

/**
 * A text that two JSON values share exactly when JSON Schema calls them equal (2020-12, section 4.2.2): numbers by their value, objects
 * whatever the order of their members. Of values that are nested deeper than anybody nests them, the rest is left out.
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

/** A double beyond 2^53 and the bigint of the same value have one text; 0 and -0 too. */
function numberText(value: number): string {
  if (value === 0) return "0";
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return BigInt(value).toString();
  return String(value);
}

/** Whether two JSON values are equal. */
export function isEqualJson(left: unknown, right: unknown): boolean {
  return left === right || canonicalText(left) === canonicalText(right);
}
