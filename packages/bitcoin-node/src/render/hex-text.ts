import { setImmediate as nextTurn } from "node:timers/promises";
import { toHex } from "@nodewright/bitcoin-primitives";
import { PreparedJson } from "@nodewright/runtime";

/** What is written in one turn of the event loop: about a millisecond's work. */
const bytesAtOnce = 512 * 1024;

/** Bytes in hexadecimal as JSON: a text, or pieces of one that is long, between which others have the event loop. */
export async function renderHex(bytes: Uint8Array): Promise<string | PreparedJson<string>> {
  if (bytes.length <= bytesAtOnce / 4) return toHex(bytes);
  const pieces: (string | Uint8Array)[] = ['"'];
  for (let start = 0; start < bytes.length; start += bytesAtOnce) {
    if (start > 0) await nextTurn();
    pieces.push(Buffer.from(toHex(bytes.subarray(start, start + bytesAtOnce)), "latin1"));
  }
  pieces.push('"');
  return new PreparedJson(pieces);
}
