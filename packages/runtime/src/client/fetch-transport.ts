import type { Transport, TransportRequest } from "./client-options.ts";

/** Maximum length of a response, in bytes. */
const maximumResponseBytes = 512 * 1024 * 1024;

/**
 * Transport over the platform's `fetch`. Redirects are responses like any other: following them would send headers, including the key, to
 * their target.
 */
export const fetchTransport: Transport = async (request) => {
  const { method, url, headers, body, signal } = request;
  const response = await fetch(url, {
    method,
    headers,
    signal,
    redirect: "manual",
    ...(body === undefined ? {} : outgoingBody(body)),
  });
  const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
  const { status } = response;
  if (request.streams?.(status, header("content-type")) === true) {
    return { status, body: new Uint8Array(), chunks: chunksOf(response.body), header };
  }
  return { status, body: await readBody(response), header };
};

/** Returns the body for `fetch`, which accepts a streamed body only when it may read the response afterwards. */
function outgoingBody(body: NonNullable<TransportRequest["body"]>): RequestInit {
  if (typeof body === "string") return { body };
  if (body instanceof Uint8Array) return { body: new Uint8Array(body) };
  const streamed: RequestInit & { readonly duplex: "half" } = { body: streamOf(body), duplex: "half" };
  return streamed;
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Yields the chunks of a stream, which not every platform can iterate over. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void, undefined> {
  if (stream === null) return;
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    // Cancelling an ended or failed stream does nothing, or rejects with a known error.
    await reader.cancel().catch(() => undefined);
  }
}

async function readBody(response: Response): Promise<Uint8Array> {
  if (Number(response.headers.get("content-length") ?? 0) > maximumResponseBytes) {
    await response.body?.cancel();
    throw new ResponseTooLargeError();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(response.body)) {
    size += chunk.length;
    if (size > maximumResponseBytes) throw new ResponseTooLargeError();
    chunks.push(chunk);
  }
  return joinChunks(chunks, size);
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

class ResponseTooLargeError extends Error {
  readonly code = "RESPONSE_TOO_LARGE";
}
