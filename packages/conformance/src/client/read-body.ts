import type { Duplex, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import type { WireResponse, WireLimits } from "./transport.ts";
import { type Trouble, trouble, troubleOf } from "./trouble.ts";

const decoders: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/** Limits of time and bytes for reading a sequence, which may be endless. */
const sequenceMilliseconds = 1_000;
const sequenceBytes = 65_536;

/** Media types of bodies that are sequences of items. */
const sequenceTypes =
  /^(?:text\/event-stream|multipart\/mixed|application\/(?:x-ndjson|ndjson|jsonl|json-seq|x-jsonlines))/i;

/** A response whose body is not read yet. */
export interface OpenedResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readable;
  /** Content codings to decode (RFC 9110, section 8.4), in the header's syntax. */
  readonly encoding: string;
}

/** Receives a response within the limits; returns errors of opening and reading as trouble. */
export async function receive(
  open: () => Promise<OpenedResponse>,
  { maxBytes, timeoutMilliseconds }: WireLimits,
): Promise<WireResponse | Trouble> {
  const response = await open()
    .then((opened) => readBody(opened, maxBytes))
    .catch(troubleOf);
  return "kind" in response && response.kind === "timeout"
    ? trouble("timeout", `no complete response in ${timeoutMilliseconds / 1_000} s`)
    : response;
}

/** Reads a body up to the limit of bytes, and a sequence up to its limits. */
async function readBody(
  { status, headers, body, encoding }: OpenedResponse,
  maxBytes: number,
): Promise<WireResponse | Trouble> {
  const isSequence = sequenceTypes.test(headers.get("content-type") ?? "");
  const limit = isSequence ? Math.min(maxBytes, sequenceBytes) : maxBytes;
  const decoded = decode(body, encoding);
  if (decoded === undefined) return trouble("malformed", "the Content-Encoding of the response is unknown");
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      decoded.destroy();
      body.destroy();
    },
    isSequence ? sequenceMilliseconds : 2 ** 31 - 1,
  );
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) break;
    }
  } catch (reason) {
    if (!isLate)
      return isBadCoding(reason)
        ? trouble("malformed", "the response is not in its Content-Encoding")
        : troubleOf(reason);
  } finally {
    clearTimeout(timer);
    decoded.destroy();
    body.destroy();
  }
  const isCut = isLate || length > limit;
  return { status, headers, bytes: Buffer.concat(chunks).subarray(0, limit), isCut, isSequence };
}

/**
 * Returns the decoded body; `undefined` for an unknown coding. An empty body needs no decoding, whatever its headers are, like that of
 * HEAD.
 */
function decode(body: Readable, encoding: string): Readable | undefined {
  const codings = encoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  let decoded = body;
  for (const coding of codings.reverse()) {
    const create = decoders.get(coding);
    if (create === undefined) return undefined;
    decoded = through(decoded, create());
  }
  return decoded;
}

function through(source: Readable, decoder: Duplex): Readable {
  source.once("error", (reason) => decoder.destroy(reason));
  return source.pipe(decoder);
}

function isBadCoding(reason: unknown): boolean {
  return (
    reason instanceof Error &&
    "code" in reason &&
    /^(?:Z_|ERR_ZLIB|ERR_BROTLI|ERR__ERROR|ERR_PADDING|ZSTD_)/.test(String(reason.code))
  );
}
