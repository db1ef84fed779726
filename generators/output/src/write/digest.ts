import { hash } from "node:crypto";

/** SHA-256 of a text, in hex. */
export function digestOf(text: string): string {
  if (text.length < longText) return hash("sha256", text);
  const known = recent.get(text);
  if (known !== undefined) return known;
  const digest = hash("sha256", text);
  const [oldest] = recent.keys();
  if (recent.size >= mostRemembered && oldest !== undefined) recent.delete(oldest);
  recent.set(text, digest);
  return digest;
}

/** A run asks for the digests of the same large texts again and again: of what it read, of what it writes and of what stood there. */
const recent = new Map<string, string>();
const longText = 100_000;
const mostRemembered = 24;

/** One digest of several named texts; their order does not matter. */
export function digestOfAll(texts: Iterable<readonly [name: string, text: string]>): string {
  const lines = [...texts].map(([name, text]) => `${name} ${digestOf(text)}`).toSorted();
  return digestOf(lines.join("\n"));
}

/** The same digest whether lines end as on Unix or as on Windows: a checkout may change that, and means nothing by it. */
export function digestOfInput(text: string): string {
  return digestOf(withUnixLines(text));
}

export function withUnixLines(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}
