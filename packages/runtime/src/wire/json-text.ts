import { isDeeperThan } from "../json/json-depth.ts";
import { readLosslessJson } from "../json/lossless-json.ts";
import { WireError } from "./wire-error.ts";
import type { WireLimits } from "./wire-limits.ts";

/** Options of every decoder. */
export interface DecodeOptions {
  /** Limits. Absent: `defaultWireLimits`. */
  readonly limits?: WireLimits;
  /** Whether integers beyond 2^53 - 1 become bigints, for a codec to decode; absent: they are rounded, as in `JSON.parse`. */
  readonly keepsLongIntegers?: boolean;
}

/** Reads JSON text. Throws `WireError` for invalid JSON, or nesting too deep for later readers of the value. */
export function readJsonText(text: string, limits: WireLimits, keepsLongIntegers: boolean): unknown {
  if (isDeeperThan(text, limits.maximumDepth)) {
    throw new WireError("too-large", `JSON is nested deeper than ${limits.maximumDepth} levels`);
  }
  try {
    return keepsLongIntegers ? readLosslessJson(text) : JSON.parse(text);
  } catch (error) {
    throw new WireError("malformed", "There is text that is not JSON", { cause: error });
  }
}

/** Decodes UTF-8 bytes, without a byte order mark. Throws `WireError` for other bytes. */
export function readUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new WireError("malformed", "There are bytes that are not UTF-8", { cause: error });
  }
}
