import type { PreparedJson } from "../prepared-json.ts";
import { isAsyncIterable } from "./stream-body.ts";

/** A prepared text in one piece, be it given in several. */
export function wholeText(text: PreparedJson<unknown>["text"]): string | Uint8Array | Promise<Uint8Array> {
  return isAsyncIterable(text) ? gatherBytes(text) : text;
}

/** All pieces of a text, which come one after the other, as bytes. */
export async function gatherBytes(parts: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const part of parts) pieces.push(typeof part === "string" ? Buffer.from(part) : part);
  return Buffer.concat(pieces);
}

/** The characters of a text that may be given as bytes. */
export function charactersOf(text: string | Uint8Array): string {
  return typeof text === "string" ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString();
}
