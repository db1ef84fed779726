import type { Transport, TransportRequest } from "./client-options.ts";

/** Longest answer that is read, in bytes. */
const maximumResponseBytes = 512 * 1024 * 1024;

/**
 * Sends requests with the platform's `fetch`. Redirections are answers like any other: following them would carry headers,
 * and the key in them, to wherever they lead.
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

/** `fetch` takes a body in pieces only when it may read the answer afterwards. */
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

/** The pieces of a stream; not every platform lets one iterate over it. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void, undefined> {
  if (stream === null) return;
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    // Cancelling what has ended or failed does nothing, or rejects with what is known already.
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
