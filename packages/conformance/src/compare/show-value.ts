/** Maximum length of displayed values, in UTF-16 code units. */
const shownLength = 120;

/** Returns a value as a short line of JSON. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "bigint" ? `${member}n` : member,
  ) as string | undefined;
  return shorten(text ?? String(value), shownLength);
}

/** Returns a string shortened to `length` characters, followed by the number of all characters. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;
}
