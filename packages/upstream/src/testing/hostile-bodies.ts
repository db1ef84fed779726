import { gzipSync } from "node:zlib";

/** The body of a response that is made to take time or memory, in chunks. */
export type HostileBody = (length: number) => Iterable<Buffer>;

const chunkBytes = 65_536;
const opening = '{"jsonrpc":"2.0","id":1,"result":';

/** Bodies by name, each of about `length` bytes; most never end their value. */
export const hostileBodies = {
  /** What took most memory: an empty object takes 56 bytes for its two. */
  emptyObjects: (length) => repeat(`${opening}[`, "{},", length),
  nestedArrays: (length) => repeat(`${opening}[`, `${"[".repeat(100)}${"]".repeat(100)},`, length),
  openBrackets: (length) => repeat(opening, "[", length),
  openObjects: (length) => repeat(opening, '{"a":', length),
  numbers: (length) => repeat(`${opening}[`, "1e99,", length),
  digits: (length) => repeat(opening, "1", length),
  text: (length) => repeat(`${opening}"`, "a", length),
  escapes: (length) => repeat(`${opening}"`, "\\u20ac", length),
  differentStrings: (length) => count(`${opening}[`, (index) => `"${index.toString(36)}",`, length),
  differentNames: (length) => count(`${opening}{`, (index) => `"n${index.toString(36)}":1,`, length),
  differentObjects: (length) => count(`${opening}[`, (index) => `{"n${index.toString(36)}":1},`, length),
  equalNames: (length) => repeat(`${opening}{`, '"name":1,', length),
  whiteSpace: (length) => repeat(opening, " ", length),
  html: (length) => repeat("<html>", "<p>[{", length),
  /** A compressed body, which nobody has asked for: `length` bytes of text in a thousandth of it. */
  gzip: (length) => [gzipSync(Buffer.alloc(length, 0x20))],
} satisfies Readonly<Record<string, HostileBody>> as Readonly<Record<HostileBodyName, HostileBody>>;

export type HostileBodyName =
  | "emptyObjects"
  | "nestedArrays"
  | "openBrackets"
  | "openObjects"
  | "numbers"
  | "digits"
  | "text"
  | "escapes"
  | "differentStrings"
  | "differentNames"
  | "differentObjects"
  | "equalNames"
  | "whiteSpace"
  | "html"
  | "gzip";

function* repeat(start: string, part: string, length: number): Iterable<Buffer> {
  yield Buffer.from(start);
  const chunk = Buffer.from(part.repeat(Math.ceil(chunkBytes / part.length)));
  for (let sent = 0; sent < length; sent += chunk.length) yield chunk;
}

function* count(start: string, render: (index: number) => string, length: number): Iterable<Buffer> {
  yield Buffer.from(start);
  for (let sent = 0, index = 0; sent < length; ) {
    let text = "";
    for (; text.length < chunkBytes; index += 1) text += render(index);
    sent += text.length;
    yield Buffer.from(text);
  }
}
