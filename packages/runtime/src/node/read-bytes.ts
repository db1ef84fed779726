import type { Readable } from "node:stream";
import { ServiceError } from "../service-error.ts";

/** Reads a stream to its end. Throws `ServiceError` `too_large` as soon as there are more bytes than `limit`. */
export async function readBytes(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of boundedChunks(stream, limit)) chunks.push(chunk);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/** The chunks of a stream. Throws as `readBytes` does; what is left of the stream then stays unread. */
export async function* boundedChunks(stream: Readable, limit: number): AsyncGenerator<Buffer, void, undefined> {
  let length = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > limit) throw tooLarge();
    yield bytes;
  }
}

/** Throws for a body whose length is announced and passes the limit, before any of it is read. */
export function assertAnnouncedLength(contentLength: string | undefined, limit: number): void {
  if (contentLength !== undefined && Number(contentLength) > limit) throw tooLarge();
}

function tooLarge(): ServiceError {
  return new ServiceError("too_large", "The request body is too large");
}
