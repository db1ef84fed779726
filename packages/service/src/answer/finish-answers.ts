import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { acceptedCoding, compress, compressStream, type ContentCoding } from "./content-coding.ts";
import { namesTag, tagOfCoded } from "./entity-tags.ts";

/** Bytes below which compressing saves no packet worth its work. */
const smallestCompressed = 2_048;

/** Compressed content of these types is far smaller. Blocks and transactions in bytes are hashes and signatures: they stay as large. */
const compressedTypes: ReadonlySet<unknown> = new Set(["application/json", "text/plain"]);

/**
 * Finishes the successful answers of a scope: what the caller has already is answered 304 without a body, and large answers are
 * compressed for those who take that.
 */
export function finishAnswers(scope: FastifyInstance): void {
  scope.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode !== 200) {
      done(null, payload);
      return;
    }
    const coding = codingOf(request, reply, payload);
    const isCurrent = settleTag(request, reply, coding);
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

/** A stream is one because it is long. */
function isLarge(payload: unknown): boolean {
  if (typeof payload === "string" || payload instanceof Uint8Array) return payload.length >= smallestCompressed;
  return payload instanceof Readable;
}

/** Gives the answer the tag of what is sent. True when the caller has that already. */
function settleTag(request: FastifyRequest, reply: FastifyReply, coding: ContentCoding | undefined): boolean {
  const tag = reply.getHeader("etag");
  if (typeof tag !== "string") return false;
  const sent = tagOfCoded(tag, coding);
  if (coding !== undefined) reply.header("etag", sent);
  const known = request.headers["if-none-match"];
  return known !== undefined && (request.method === "GET" || request.method === "HEAD") && namesTag(known, sent);
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
