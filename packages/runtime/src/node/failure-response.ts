import type { FastifyReply } from "fastify";
import type { HttpFailure } from "../errors/http-failure.ts";
import { writeLosslessJson } from "../json/lossless-json.ts";
import { asItIs } from "./framework-error.ts";

/** Sends a failure as a handler created it. */
export function sendFailure(reply: FastifyReply, failure: HttpFailure): FastifyReply {
  const { status, headers, body } = failure;
  reply.code(status).headers(headers);
  if (body === undefined) return reply.send();
  if (body instanceof Uint8Array) {
    return reply.header("content-type", failure.contentType ?? "application/octet-stream").send(body);
  }
  const contentType = failure.contentType ?? "application/json";
  const isText = typeof body === "string" && contentType.startsWith("text/");
  return reply
    .header("content-type", contentType)
    .serializer(asItIs)
    .send(isText ? body : writeLosslessJson(body));
}
