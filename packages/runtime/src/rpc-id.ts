/** The part of `JSON` that the compiler's library does not describe yet (proposal "JSON.parse source text access"). */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (this: object, name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

/** Where a fraction, an exponent or more digits than are converted stand behind `"id":`, or a zero with a sign. */
const unusualId = /"id"\s*:\s*(?:-?[0-9]+[.eE]|-?[0-9]{1000}|-0)/;

/**
 * Whether a request or batch may have an id that is not, as it was sent, what JavaScript writes for it: `1e400` is read as
 * infinite, `1.50` as `1.5`. May say so of text in which none has.
 */
export function hasUnusualId(text: string, members: readonly { readonly id?: unknown }[]): boolean {
  if (!members.some(({ id }) => typeof id === "number" || typeof id === "bigint")) return false;
  return unusualId.test(text) || members.some(({ id }) => typeof id === "number" && !Number.isSafeInteger(id));
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
