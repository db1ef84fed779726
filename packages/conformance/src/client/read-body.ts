import type { Duplex, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { isSequence, sequenceBytes, sequenceMilliseconds, type WireAnswer } from "./transport.ts";
import { type Trouble, trouble, troubleOf } from "./trouble.ts";

const decoders: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/**
 * Reads a body up to the limit of bytes, and of a sequence what comes in a while. Content codings that were applied are undone
 * (RFC 9110, section 8.4).
 */
export async function readBody(
  head: Pick<WireAnswer, "status" | "headers">,
  body: Readable,
  maxBytes: number,
  encoding: string = head.headers.get("content-encoding") ?? "",
): Promise<WireAnswer | Trouble> {
  const isOpenEnded = isSequence(head.headers);
  const limit = isOpenEnded ? Math.min(maxBytes, sequenceBytes) : maxBytes;
  const decoded = decode(body, encoding);
  if (decoded === undefined) return trouble("malformed", "the answer's Content-Encoding is not known");
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      decoded.destroy();
      body.destroy();
    },
    isOpenEnded ? sequenceMilliseconds : 2 ** 31 - 1,
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
        ? trouble("malformed", "the answer is not of its Content-Encoding")
        : troubleOf(reason);
  } finally {
    clearTimeout(timer);
    decoded.destroy();
    body.destroy();
  }
  const isCut = isLate || length > limit;
  return { ...head, bytes: Buffer.concat(chunks).subarray(0, limit), isCut, isSequence: isOpenEnded };
}

/** Undefined when a coding is not known. An empty body needs no decoding, whatever its headers say, as that of HEAD. */
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
