/** Whether a value is an object of JSON. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Differences that are named before the rest is only counted. */
const namedDifferences = 5;
/** Longer values are shortened where they are shown. */
const shownLength = 120;

/**
 * Compares two JSON values and names each place where they differ, by JSON Pointer. Numbers are equal when they are the same
 * number, whether a double or a bigint holds them; members may stand in any order.
 */
export function jsonDifferences(expected: unknown, actual: unknown): readonly string[] {
  const found: string[] = [];
  compare(expected, actual, "", found);
  const rest = found.length - namedDifferences;
  return rest > 0 ? [...found.slice(0, namedDifferences), `${rest} more differences`] : found;
}

/** A value as one short line of JSON. */
function showJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "bigint" ? `${member}n` : member,
  ) as string | undefined;
  return shorten(text ?? String(value), shownLength);
}

/** Text of at most `length` characters, the rest being counted. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;
}

function compare(expected: unknown, actual: unknown, pointer: string, found: string[]): void {
  if (isNumber(expected) && isNumber(actual)) {
    // Loosely, because 1 and 1n are the same number of JSON.
    // biome-ignore lint/suspicious/noDoubleEquals: want a double and a bigint compared by value
    if (expected != actual) found.push(differs(pointer, expected, actual));
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    compareLists(expected, actual, pointer, found);
  } else if (isRecord(expected) && isRecord(actual)) {
    compareRecords(expected, actual, pointer, found);
  } else if (expected !== actual) {
    found.push(differs(pointer, expected, actual));
  }
}

function compareLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  pointer: string,
  found: string[],
): void {
  if (expected.length !== actual.length) {
    found.push(`${place(pointer)} has ${actual.length} elements instead of ${expected.length}`);
  }
  for (const [index, value] of expected.entries()) {
    if (index < actual.length) compare(value, actual[index], `${pointer}/${index}`, found);
  }
}

function compareRecords(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  pointer: string,
  found: string[],
): void {
  for (const [name, value] of Object.entries(expected)) {
    const member = `${pointer}/${escapePointer(name)}`;
    if (Object.hasOwn(actual, name)) compare(value, actual[name], member, found);
    else found.push(`${place(member)} is missing instead of ${showJson(value)}`);
  }
  for (const [name, value] of Object.entries(actual)) {
    if (!Object.hasOwn(expected, name)) {
      found.push(`${place(`${pointer}/${escapePointer(name)}`)} is ${showJson(value)} and should not be there`);
    }
  }
}

function differs(pointer: string, expected: unknown, actual: unknown): string {
  return `${place(pointer)} is ${showJson(actual)} instead of ${showJson(expected)}`;
}

function place(pointer: string): string {
  return pointer === "" ? "the value" : pointer;
}

/** RFC 6901, section 3. */
function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
