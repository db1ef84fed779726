import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";

/** Content coding of a body (RFC 9110, section 8.4.1). */
export type ContentCoding = "br" | "gzip";

/** Supported codings in order of preference. */
const codings: readonly ContentCoding[] = ["br", "gzip"];

/**
 * Returns the best coding that an `Accept-Encoding` header accepts (RFC 9110, section 12.5.3); `undefined` when the body must be sent
 * uncompressed, as without the header.
 */
export function acceptedCoding(header: string | undefined): ContentCoding | undefined {
  if (header === undefined || header === "") return undefined;
  const weights = new Map<string, number>();
  for (const element of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = element.split(";").map((part) => part.trim());
    weights.set(name === "x-gzip" ? "gzip" : name, weightOf(parameters));
  }
  const weightFor = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  const best = codings.reduce<ContentCoding | undefined>((chosen, coding) => {
    const isBetter = weightFor(coding) > (chosen === undefined ? 0 : weightFor(chosen));
    return isBetter ? coding : chosen;
  }, undefined);
  if (best === undefined) return undefined;
  return weightFor(best) < (weights.get("identity") ?? 0) ? undefined : best;
}

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  if (weight === undefined) return 1;
  const value = Number(weight.slice(2));
  return value >= 0 && value <= 1 ? value : 0;
}

/**
 * Compression level of gzip. Clients wait for the compression: more effort costs more time than the line would take for the saved bytes.
 */
const gzipLevel = 4;
const brotliQuality = 4;

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Compresses a complete body, off the event loop. */
export async function compress(body: string | Uint8Array, coding: ContentCoding): Promise<Buffer> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (coding === "gzip") return compressGzip(bytes, { level: gzipLevel });
  return compressBrotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** Compresses a streamed body. A failure of either stream destroys the other. */
export function compressStream(body: Readable, coding: ContentCoding): Readable {
  const compressor =
    coding === "gzip"
      ? createGzip({ level: gzipLevel })
      : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
  body.once("error", (error) => compressor.destroy(error));
  compressor.once("close", () => body.destroy());
  return body.pipe(compressor);
}
