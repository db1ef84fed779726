import { readUtf8 } from "./json-text.ts";
import { WireError } from "./wire-error.ts";
import { defaultWireLimits, type WireLimits } from "./wire-limits.ts";

/** A part of a multipart body. */
export interface Part {
  /** Name in the `Content-Disposition`; absent outside `multipart/form-data`. */
  readonly name?: string;
  readonly filename?: string;
  readonly contentType?: string;
  /** Other headers, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Returns a boundary that a body contains with a probability of one to 2^128. */
export function createBoundary(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return `nodewright-${[...random].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Writes a multipart body (RFC 2046, section 5.1; RFC 7578). Throws `RangeError` for a header with a line end in it. */
export function writeMultipart(parts: readonly Part[], boundary: string): Uint8Array {
  const encoder = new TextEncoder();
  const chunks = parts.flatMap((part) => [
    encoder.encode(`--${boundary}\r\n${partHeaders(part)}\r\n`),
    part.body,
    lineEnd,
  ]);
  return concatenate([...chunks, encoder.encode(`--${boundary}--\r\n`)]);
}

/** Reads a multipart body. The parts share its memory. Throws `WireError`. */
export function readMultipart(
  bytes: Uint8Array,
  boundary: string,
  limits: WireLimits = defaultWireLimits,
): readonly Part[] {
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  const parts: Part[] = [];
  let position = findFirst(bytes, delimiter);
  while (!position.isLast) {
    if (parts.length === limits.maximumParts) {
      throw new WireError("too-large", `There are more than ${limits.maximumParts} parts`);
    }
    const headersEnd = findHeadersEnd(bytes, position.end, limits.maximumPartHeaderBytes);
    // The line end that closes the headers may also open the delimiter of an empty part.
    const next = findDelimiter(bytes, delimiter, headersEnd - 2);
    const body = bytes.subarray(headersEnd, Math.max(headersEnd, next.start));
    parts.push(createPart(readHeaders(bytes.subarray(position.end, headersEnd)), body));
    position = next;
  }
  return parts;
}

/** Returns the parameters of a header such as `form-data; name="a"`, by lower-case name (RFC 9110, section 5.6.6). */
export function readHeaderParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  let position = header.indexOf(";");
  while (position >= 0) {
    parameterName.lastIndex = position;
    const match = parameterName.exec(header);
    if (match === null) break;
    const { text, end } = readParameterValue(header, parameterName.lastIndex);
    const name = (match[1] ?? "").toLowerCase();
    if (!parameters.has(name)) parameters.set(name, text);
    position = header.indexOf(";", end);
  }
  return parameters;
}

const parameterName = /;\s*([^\s=;"]+)\s*=\s*/y;

function readParameterValue(header: string, start: number): { readonly text: string; readonly end: number } {
  if (header[start] !== '"') {
    const semicolon = header.indexOf(";", start);
    const end = semicolon < 0 ? header.length : semicolon;
    return { text: header.slice(start, end).trim(), end };
  }
  const end = closingQuote(header, start + 1);
  return { text: header.slice(start + 1, end).replaceAll('\\"', '"'), end };
}

/**
 * Returns the position of the closing quote. Browsers do not escape backslashes: one before a quote is a literal character where the value
 * ends there.
 */
function closingQuote(header: string, start: number): number {
  for (let quote = header.indexOf('"', start); quote >= 0; quote = header.indexOf('"', quote + 1)) {
    if (header[quote - 1] !== "\\" || /^"\s*(?:;|$)/.test(header.slice(quote, quote + 64))) return quote;
  }
  return header.length;
}

const lineEnd: Uint8Array = Uint8Array.of(13, 10);
const carriageReturn = 13;
const lineFeed = 10;
const hyphen = 45;

function partHeaders({ name, filename, contentType, headers = {} }: Part): string {
  const disposition =
    name === undefined
      ? []
      : [
          `content-disposition: form-data; name="${escapeName(name)}"${filename === undefined ? "" : `; filename="${escapeName(filename)}"`}`,
        ];
  const type = contentType === undefined ? [] : [`content-type: ${contentType}`];
  const others = Object.entries(headers).map(([other, value]) => `${other}: ${value}`);
  return [...disposition, ...type, ...others].map((line) => `${checkLine(line)}\r\n`).join("");
}

function checkLine(line: string): string {
  if (/[\r\n\0]/.test(line)) throw new RangeError("A header of a part can't hold a line end");
  return line;
}

// Names are UTF-8, with quotes and line ends percent-encoded (WHATWG HTML, section 4.10.21.8). A name that contains such a triplet itself
// would be decoded as another: its percent sign is encoded too.

function escapeName(name: string): string {
  return name
    .toWellFormed()
    .replaceAll(/%(?=(?:25)*(?:22|0D|0A))/gi, "%25")
    .replaceAll("\0", "\uFFFD")
    .replaceAll(/["\r\n]/g, (character) => escapes.get(character) ?? "");
}

function unescapeName(name: string): string {
  return name.replaceAll(/%((?:25)*)(22|0D|0A)/gi, (_triplets, percents: string, code: string) =>
    percents === "" ? String.fromCharCode(Number.parseInt(code, 16)) : `%${percents.slice(2)}${code}`,
  );
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', "%22"],
  ["\r", "%0D"],
  ["\n", "%0A"],
]);

interface Delimiter {
  /** Start, including its line end. */
  readonly start: number;
  /** Start of the part after it. */
  readonly end: number;
  readonly isLast: boolean;
}

/** Returns the first delimiter, which needs no line end before it; the preamble is ignored (RFC 2046, section 5.1.1). */
function findFirst(bytes: Uint8Array, delimiter: Uint8Array): Delimiter {
  const bare = delimiter.subarray(lineEnd.length);
  if (startsWith(bytes, bare, 0)) {
    const found = delimiterAt(bytes, 0, bare.length);
    if (found !== undefined) return found;
  }
  return findDelimiter(bytes, delimiter, 0);
}

function findDelimiter(bytes: Uint8Array, delimiter: Uint8Array, from: number): Delimiter {
  for (let start = bytes.indexOf(carriageReturn, from); start >= 0; start = bytes.indexOf(carriageReturn, start + 1)) {
    const found = startsWith(bytes, delimiter, start) ? delimiterAt(bytes, start, delimiter.length) : undefined;
    if (found !== undefined) return found;
  }
  throw new WireError("malformed", "The multipart body does not end with its boundary");
}

/** Returns the delimiter, which is valid only when two hyphens, or space and a line end follow the boundary. */
function delimiterAt(bytes: Uint8Array, start: number, length: number): Delimiter | undefined {
  let end = start + length;
  if (bytes[end] === hyphen && bytes[end + 1] === hyphen) return { start, end: end + 2, isLast: true };
  while (bytes[end] === 32 || bytes[end] === 9) end += 1;
  const isLineEnd = bytes[end] === carriageReturn && bytes[end + 1] === lineFeed;
  return isLineEnd ? { start, end: end + 2, isLast: false } : undefined;
}

function startsWith(bytes: Uint8Array, pattern: Uint8Array, start: number): boolean {
  if (start + pattern.length > bytes.length) return false;
  for (let index = 0; index < pattern.length; index += 1) {
    if (bytes[start + index] !== pattern[index]) return false;
  }
  return true;
}

/** Returns the start of the body of a part, after the empty line. */
function findHeadersEnd(bytes: Uint8Array, start: number, maximumBytes: number): number {
  if (bytes[start] === carriageReturn && bytes[start + 1] === lineFeed) return start + 2;
  const end = Math.min(bytes.length, start + maximumBytes);
  for (let index = start; index < end; index += 1) {
    if (startsWith(bytes, headersEnd, index)) return index + headersEnd.length;
  }
  if (end < bytes.length)
    throw new WireError("too-large", `The headers of a part are longer than ${maximumBytes} bytes`);
  throw new WireError("malformed", "The headers of a part do not end");
}

const headersEnd: Uint8Array = Uint8Array.of(13, 10, 13, 10);

function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of readUtf8(bytes).split("\r\n")) {
    if (line === "") continue;
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) {
      throw new WireError("malformed", "A line of a part's headers is not a header");
    }
    headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

const describedHeaders: ReadonlySet<string> = new Set(["content-disposition", "content-type"]);

function createPart(headers: ReadonlyMap<string, string>, body: Uint8Array): Part {
  const transfer = headers.get("content-transfer-encoding")?.toLowerCase() ?? "binary";
  if (!/^(?:7bit|8bit|binary)$/.test(transfer)) {
    throw new WireError("malformed", "A part has a content transfer encoding: RFC 7578, section 4.7 has none");
  }
  const disposition = readHeaderParameters(headers.get("content-disposition") ?? "");
  const name = disposition.get("name");
  const filename = disposition.get("filename");
  const contentType = headers.get("content-type");
  return {
    ...(name === undefined ? {} : { name: unescapeName(name) }),
    ...(filename === undefined ? {} : { filename: unescapeName(filename) }),
    ...(contentType === undefined ? {} : { contentType }),
    headers: Object.fromEntries([...headers].filter(([header]) => !describedHeaders.has(header))),
    body,
  };
}

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
