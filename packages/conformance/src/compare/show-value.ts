/** Longer values are shortened where they are shown. */
const shownLength = 120;

/** A value as one short line of JSON. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "bigint" ? `${member}n` : member,
  ) as string | undefined;
  return shorten(text ?? String(value), shownLength);
}

/** Text of at most `length` characters, the rest being counted. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;
}
