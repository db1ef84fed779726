import type { Readable } from "node:stream";
import { isServiceError, ServiceError } from "../errors/service-error.ts";

/** Reads a stream to its end. Throws `ServiceError` `too_large` as soon as there are more bytes than `limit`. */
export async function readBytes(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of boundedChunks(stream, limit)) chunks.push(chunk);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/**
 * Yields the chunks of a stream. Throws as `readBytes` does; the rest of the stream then stays unread. A stream that breaks off is the
 * fault of its sender, or of the connection: `invalid_request`.
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
    // A layer before the stream, such as the limit of a client's plan, may have ended it.
    if (isServiceError(error)) throw error;
    throw new ServiceError("invalid_request", "The request body broke off", { cause: error });
  }
}

/** Throws for a body whose announced length exceeds the limit, before any of it is read. */
export function assertAnnouncedLength(contentLength: string | undefined, limit: number): void {
  if (contentLength !== undefined && Number(contentLength) > limit) throw tooLarge();
}

function tooLarge(): ServiceError {
  return new ServiceError("too_large", "The request body is too large");
}
