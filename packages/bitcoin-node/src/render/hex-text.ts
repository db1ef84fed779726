import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { toHex } from "@nodewright/bitcoin-primitives";
import { PreparedJson } from "@nodewright/runtime";

/** Bytes rendered in one turn of the event loop: about a millisecond's work. */
const bytesAtOnce = 512 * 1024;

/** Renders bytes in hexadecimal as JSON: a string, or pieces of a long one, between which other work runs. */
export async function renderHex(bytes: Uint8Array): Promise<string | PreparedJson<string>> {
  if (bytes.length <= bytesAtOnce / 4) return toHex(bytes);
  const pieces: (string | Uint8Array)[] = ['"'];
  for (let start = 0; start < bytes.length; start += bytesAtOnce) {
    if (start > 0) await nextTimeSlice();
    pieces.push(Buffer.from(toHex(bytes.subarray(start, start + bytesAtOnce)), "latin1"));
  }
  pieces.push('"');
  return new PreparedJson(pieces);
}
