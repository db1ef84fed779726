import type { Readable } from "node:stream";
import { isServiceError, ServiceError } from "../service-error.ts";

/** Reads a stream to its end. Throws `ServiceError` `too_large` as soon as there are more bytes than `limit`. */
export async function readBytes(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of boundedChunks(stream, limit)) chunks.push(chunk);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/**
 * The chunks of a stream. Throws as `readBytes` does; what is left of the stream then stays unread. A stream that breaks off is
 * the mistake of its sender, or of the way here: `invalid_request`.
 */
export async function* boundedChunks(stream: Readable, limit: number): AsyncGenerator<Buffer, void, undefined> {
  const chunks = stream.iterator({ destroyOnReturn: false });
  let length = 0;
  for (let next = await nextChunk(chunks); next.done !== true; next = await nextChunk(chunks)) {
    const bytes: Buffer = typeof next.value === "string" ? Buffer.from(next.value) : next.value;
    length += bytes.length;
    if (length > limit) {
      await chunks.return?.();
      throw tooLarge();
    }
    yield bytes;
  }
}

async function nextChunk(chunks: AsyncIterator<string | Buffer>): Promise<IteratorResult<string | Buffer>> {
  try {
    return await chunks.next();
  } catch (error) {
    // What stands before the stream, such as a limit of a caller's plan, may have ended it.
    if (isServiceError(error)) throw error;
    throw new ServiceError("invalid_request", "The request body broke off", { cause: error });
  }
}

/** Throws for a body whose length is announced and passes the limit, before any of it is read. */
export function assertAnnouncedLength(contentLength: string | undefined, limit: number): void {
  if (contentLength !== undefined && Number(contentLength) > limit) throw tooLarge();
}

function tooLarge(): ServiceError {
  return new ServiceError("too_large", "The request body is too large");
}
