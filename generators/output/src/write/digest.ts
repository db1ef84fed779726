import { hash } from "node:crypto";

/** Returns the SHA-256 of a text, in hex. */
export function digestOf(text: string): string {
  if (text.length < longText) return hash("sha256", text);
  const known = recent.get(text);
  if (known !== undefined) return known;
  const digest = hash("sha256", text);
  const [oldest] = recent.keys();
  if (recent.size >= maximumEntries && oldest !== undefined) recent.delete(oldest);
  recent.set(text, digest);
  return digest;
}

/** Cache of digests: a run requests those of the same large texts repeatedly, for its inputs, its output and the previous files. */
const recent = new Map<string, string>();
const longText = 100_000;
const maximumEntries = 24;

/** Returns one digest of several named texts; their order does not matter. */
export function digestOfAll(texts: Iterable<readonly [name: string, text: string]>): string {
  const lines = [...texts].map(([name, text]) => `${name} ${digestOf(text)}`).toSorted();
  return digestOf(lines.join("\n"));
}

/** Returns the same digest for Unix and Windows line endings: a checkout may change them without a change of content. */
export function digestOfInput(text: string): string {
  return digestOf(withUnixLines(text));
}

export function withUnixLines(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}
