import type { Transport, TransportResponse } from "./client-options.ts";

/** Longest answer that is read, in bytes. */
const maximumResponseBytes = 512 * 1024 * 1024;

/**
 * Sends requests with the platform's `fetch`. Redirections are answers like any other: following them would carry headers,
 * and the key in them, to wherever they lead.
 */
export const fetchTransport: Transport = async ({ method, url, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    signal,
    redirect: "manual",
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : new Uint8Array(body) }),
  });
  return createResponse(response, await readBody(response));
};

function createResponse(response: Response, body: Uint8Array): TransportResponse {
  return { status: response.status, body, header: (name) => response.headers.get(name) ?? undefined };
}

async function readBody(response: Response): Promise<Uint8Array> {
  if (Number(response.headers.get("content-length") ?? 0) > maximumResponseBytes) {
    await response.body?.cancel();
    throw new ResponseTooLargeError();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
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
