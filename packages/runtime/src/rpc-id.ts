/** The part of `JSON` that the compiler's library does not describe yet (proposal "JSON.parse source text access"). */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (this: object, name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

/** Whether a number of JavaScript may not be the one that was sent: `1e400` is read as infinite, `0.10` as `0.1`. */
export function isInexactId(id: unknown): boolean {
  return typeof id === "number" && !Number.isSafeInteger(id);
}

/**
 * The texts of numeric ids as they were sent, for the request or for each member of a batch; undefined for other ids. `text` is
 * one that `JSON.parse` takes.
 */
export function readIdTexts(text: string): readonly (string | undefined)[] {
  const texts = new Map<unknown, string>();
  const value = (JSON as unknown as SourceTextJson).parse(text, function (name, member, { source }) {
    if (name === "id" && typeof member === "number" && source !== undefined) texts.set(this, source);
    return member;
  });
  return (Array.isArray(value) ? value : [value]).map((member) => texts.get(member));
}
