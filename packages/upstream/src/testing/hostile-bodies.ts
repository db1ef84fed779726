import { gzipSync } from "node:zlib";

/** Body of a response that is built to take time or memory, in chunks. */
export type HostileBody = (length: number) => Iterable<Buffer>;

const chunkBytes = 65_536;
const longBytes = 15_000_000;
const opening = '{"jsonrpc":"2.0","id":1,"result":';

/** Bodies by name, each of about `length` bytes; most never end their value. */
export const hostileBodies = {
  /** The most memory: an empty object takes 56 bytes for its two. */
  emptyObjects: (length) => repeat(`${opening}[`, "{},", length),
  nestedArrays: (length) => repeat(`${opening}[`, `${"[".repeat(100)}${"]".repeat(100)},`, length),
  openBrackets: (length) => repeat(opening, "[", length),
  openObjects: (length) => repeat(opening, '{"a":', length),
  numbers: (length) => repeat(`${opening}[`, "1e99,", length),
  digits: (length) => repeat(opening, "1", length),
  text: (length) => repeat(`${opening}"`, "a", length),
  escapes: (length) => repeat(`${opening}"`, "\\u20ac", length),
  differentStrings: (length) => count(`${opening}[`, (index) => `"${index.toString(36)}",`, length),
  strings: (length) => repeat(`${opening}[`, `"${"a".repeat(15_000)}",`, length),
  /** Strings of 15 KB that take two bytes for each of their characters because of one. */
  wideStrings: (length) => repeat(`${opening}[`, `"${"a".repeat(15_000)}\\u20ac",`, length),
  /** Strings of 15 MB: each is complete before the response is too long. */
  longStrings: (length) => repeatLong(`${opening}["`, "a", '","', length),
  longWideStrings: (length) => repeatLong(`${opening}["`, "a", '\\u20ac","', length),
  longNames: (length) => repeatLong(`${opening}{"`, "a", '":1,"', length),
  /** Values of all kinds within each other. */
  mixed: (length) =>
    count(
      `${opening}[`,
      (index) => `{"${index}":[null,-${index}.5e${index % 300},[{"name":"\\ud83d\\ude00${index}é"},[[true]],{}]]},`,
      length,
    ),
  differentNames: (length) => count(`${opening}{`, (index) => `"n${index.toString(36)}":1,`, length),
  differentObjects: (length) => count(`${opening}[`, (index) => `{"n${index.toString(36)}":1},`, length),
  equalNames: (length) => repeat(`${opening}{`, '"name":1,', length),
  whiteSpace: (length) => repeat(opening, " ", length),
  html: (length) => repeat("<html>", "<p>[{", length),
  /** A compressed body, which the request did not accept: `length` bytes of text in a thousandth of it. */
  gzip: (length) => [gzipSync(Buffer.alloc(length, 0x20))],
} satisfies Readonly<Record<string, HostileBody>> as Readonly<Record<HostileBodyName, HostileBody>>;

/** Name of a response body that is expensive to parse. */
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
  | "strings"
  | "longStrings"
  | "wideStrings"
  | "longWideStrings"
  | "longNames"
  | "mixed"
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

/** Parts of 15 MB, each followed by `end`. */
function* repeatLong(start: string, part: string, end: string, length: number): Iterable<Buffer> {
  for (let sent = 0, before = start; sent < length; sent += longBytes, before = end)
    yield* repeat(before, part, longBytes);
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
