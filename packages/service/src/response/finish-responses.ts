import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { acceptedCoding, compress, compressStream, type ContentCoding } from "./content-coding.ts";
import { matchesEntityTag, encodedEntityTag } from "./entity-tags.ts";

/** Minimum size in bytes of a compressed response: for a smaller one, compression saves no packets. */
const minimumCompressedLength = 2_048;

/** Media types that compress well. Serialized blocks and transactions do not: they consist of hashes and signatures. */
const compressedTypes: ReadonlySet<unknown> = new Set(["application/json", "text/plain"]);

/**
 * Finishes the successful responses of a scope: sends 304 if the client has the response cached, and compresses large responses for clients
 * that accept it.
 */
export function finishResponses(scope: FastifyInstance): void {
  scope.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode !== 200) {
      done(null, payload);
      return;
    }
    const coding = codingOf(request, reply, payload);
    const isCurrent = updateEntityTag(request, reply, coding);
    if (isCurrent) done(null, withoutBody(reply, payload));
    else if (coding === undefined) done(null, payload);
    else sendCompressed(reply, payload, coding, done);
  });
}

function codingOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): ContentCoding | undefined {
  const accepted = request.headers["accept-encoding"];
  if (accepted === undefined || !isLarge(payload)) return undefined;
  if (!compressedTypes.has(reply.getHeader("content-type"))) return undefined;
  return acceptedCoding(Array.isArray(accepted) ? accepted.join(",") : accepted);
}

/** Returns whether a payload is large. A stream always is. */
function isLarge(payload: unknown): boolean {
  if (typeof payload === "string" || payload instanceof Uint8Array) return payload.length >= minimumCompressedLength;
  return payload instanceof Readable;
}

/** Sets the entity tag of the sent response. Returns true when the client has that response cached. */
function updateEntityTag(request: FastifyRequest, reply: FastifyReply, coding: ContentCoding | undefined): boolean {
  const tag = reply.getHeader("etag");
  if (typeof tag !== "string") return false;
  const sent = encodedEntityTag(tag, coding);
  if (coding !== undefined) reply.header("etag", sent);
  const known = request.headers["if-none-match"];
  return (
    known !== undefined && (request.method === "GET" || request.method === "HEAD") && matchesEntityTag(known, sent)
  );
}

function withoutBody(reply: FastifyReply, payload: unknown): null {
  reply.code(304).removeHeader("content-type").removeHeader("content-length");
  if (payload instanceof Readable) payload.destroy();
  return null;
}

function sendCompressed(
  reply: FastifyReply,
  payload: unknown,
  coding: ContentCoding,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  reply.header("content-encoding", coding).removeHeader("content-length");
  if (payload instanceof Readable) done(null, compressStream(payload, coding));
  else compress(payload as string | Uint8Array, coding).then((bytes) => done(null, bytes), done);
}
