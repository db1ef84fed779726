import type { JsonPiece, PreparedJson } from "../json/prepared-json.ts";
import { isAsyncIterable } from "./stream-body.ts";

/** Available text, in one piece or in several. */
export type PreparedText = JsonPiece | readonly JsonPiece[];

/** Returns a prepared text with all of its pieces, also where they arrive one after the other. */
export function completeText(text: PreparedJson<unknown>["text"]): PreparedText | Promise<Uint8Array> {
  return isAsyncIterable(text) ? gatherBytes(text) : text;
}

/** Returns all consecutive pieces of a text, as bytes. */
export async function gatherBytes(parts: AsyncIterable<JsonPiece>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const part of parts) pieces.push(typeof part === "string" ? Buffer.from(part) : part);
  return Buffer.concat(pieces);
}

/** Returns all characters of a text. */
export function charactersOf(text: PreparedText): string {
  if (typeof text === "string") return text;
  const bytes = isInPieces(text) ? Buffer.from(joinPieces(text)) : text;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** Joins pieces to one text: a string unless bytes are among them, which are copied once, to their place in it. */
export function joinPieces(pieces: readonly JsonPiece[]): string | Buffer {
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : joinBytes(pieces);
}

/** Returns the total length of all pieces, in bytes. */
export function byteLengthOf(pieces: readonly JsonPiece[]): number {
  let length = 0;
  for (const piece of pieces) length += typeof piece === "string" ? Buffer.byteLength(piece) : piece.byteLength;
  return length;
}

/** Yields the same text in pieces of about `length` characters: long strings cut, and short pieces joined. */
export function* cutPieces(pieces: readonly JsonPiece[], length: number): Generator<JsonPiece> {
  let short: JsonPiece[] = [];
  let gathered = 0;
  for (const piece of pieces) {
    if (gathered > 0 && gathered + piece.length > length) {
      yield joinPieces(short);
      short = [];
      gathered = 0;
    }
    if (piece.length > length) {
      if (typeof piece === "string") yield* cutString(piece, length);
      else yield piece;
      continue;
    }
    short.push(piece);
    gathered += piece.length;
  }
  if (gathered > 0) yield joinPieces(short);
}

/** Cuts a string, never between the two halves of a character beyond U+FFFF, which can't be encoded by themselves. */
function* cutString(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + length, text.length);
    const isInside = end < text.length && isHighSurrogate(text.charCodeAt(end - 1));
    const next = isInside ? end - 1 : end;
    yield text.slice(start, next);
    start = next;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

export function isInPieces(text: PreparedText): text is readonly JsonPiece[] {
  return Array.isArray(text);
}

function joinBytes(pieces: readonly JsonPiece[]): Buffer {
  const body = Buffer.allocUnsafe(byteLengthOf(pieces));
  let end = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      end += body.write(piece, end);
    } else {
      body.set(piece, end);
      end += piece.byteLength;
    }
  }
  return body;
}
