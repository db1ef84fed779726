// OpenAPI 3.1, section 4.8.8.2: Path Templating Matching.
import type { SourceValue, SourceRange, SourceText } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/** Returns the names of the path parameters in order: `b` and `c` for `/a/{b}/{c}`. */
export function pathParametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? "");
}

/** Returns the shape of a path. Paths of the same shape match the same requests. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}");
}

/** Reports syntax errors in a path. */
export function checkPathTemplate(reading: Reading, paths: SourceValue, path: string): void {
  const source = paths.keySource(path);
  if (!path.startsWith("/")) reading.report("path-without-slash", source, { path });
  const rest = path.replaceAll(/\{[^{}]+\}/g, "");
  const stray = /\{\}|[{}]/.exec(rest)?.[0];
  if (stray !== undefined) {
    const problem = stray === "{}" ? "has a path parameter without a name" : `has a "${stray}" without its counterpart`;
    reading.report("malformed-path", source, { path, problem });
  }
  const seen = new Set<string>();
  for (const name of pathParametersOf(path)) {
    if (seen.has(name)) reading.report("repeated-hole", source, { path, name });
    seen.add(name);
  }
}

/** Returns the first `?` or `#` outside the path parameters, which would end the path (RFC 3986, section 3.3). */
export function forbiddenCharacter(path: string): string | undefined {
  return /[?#]/.exec(path.replaceAll(/\{[^{}]*\}/g, ""))?.[0];
}

/** Returns the range of a part of a key if the key is written without escapes, else that of the key. */
export function sourceInKey(owner: SourceValue, key: string, part: string): SourceRange {
  return sourceOfPart(owner.document, owner.keySource(key), key, part);
}

/** Returns the range of a part of a string if the string is written without escapes, else that of the complete string. */
export function sourceOfPart(document: SourceText, whole: SourceRange, text: string, part: string): SourceRange {
  const start = document.text.slice(whole.start, whole.end).indexOf(text);
  const at = text.indexOf(part);
  if (start === -1 || at === -1) return whole;
  const from = whole.start + start + at;
  return document.range(from, from + part.length, whole.pointer);
}
