import { isUtf8 } from "node:buffer";
import { isDeeperThan } from "../json/json-depth.ts";
import { readLosslessJson } from "../json/lossless-json.ts";
import { ServiceError } from "../errors/service-error.ts";

const byteOrderMark = "\uFEFF";

/** Decodes the text of a body. Throws `ServiceError` `parse_error` unless it is UTF-8. */
export function readTextBody(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new ServiceError("parse_error", "The request body is not UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/**
 * Parses the JSON of a body without rounding integers. Throws `ServiceError`: `parse_error` for invalid JSON, `invalid_request` for nesting
 * beyond `maximumDepth`, on which later recursive code could overflow the stack.
 */
export function readJsonBody(bytes: Uint8Array, maximumDepth: number): unknown {
  return readJsonText(readTextBody(bytes), maximumDepth);
}

/** Parses the same from text. */
export function readJsonText(text: string, maximumDepth: number): unknown {
  if (isDeeperThan(text, maximumDepth)) {
    throw new ServiceError("invalid_request", `The request body is nested deeper than ${maximumDepth} levels`);
  }
  try {
    return readLosslessJson(text);
  } catch (error) {
    throw new ServiceError("parse_error", "The request body is not valid JSON", { cause: error });
  }
}
