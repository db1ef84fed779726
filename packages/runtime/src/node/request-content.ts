import type { Readable } from "node:stream";
import type { ContentFacts, HttpOperation } from "../operation.ts";
import { decodeScalar } from "../wire/scalar-text.ts";
import type { WireLimits } from "../wire/wire-limits.ts";
import { readJsonBody, readTextBody } from "./json-body.ts";
import { readBytes } from "./read-bytes.ts";

export interface BodyLimits {
  readonly bytes: number;
  readonly wire: WireLimits;
}

/** What the reading of a body depends on, besides its content. */
export interface BodyReading {
  readonly operation: HttpOperation;
  /** As it was sent, with its parameters. */
  readonly contentType: string | undefined;
  readonly limits: BodyLimits;
}

/** Reads the wire value of a body; undefined for one without a byte. Throws `ServiceError` and `WireError`. */
export async function readContent(stream: Readable, content: ContentFacts, reading: BodyReading): Promise<unknown> {
  const bytes = await readBytes(stream, reading.limits.bytes);
  if (bytes.length === 0) return undefined;
  switch (content.form) {
    case "json":
      return readJsonBody(bytes, reading.limits.wire.maximumDepth);
    case "text":
      return decodeScalar(content.decoding ?? "string", readTextBody(bytes));
    default:
      return bytes;
  }
}
