import { Transform } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Admissions, RunningNode } from "./admission.ts";
import { sendContinue } from "./expected-continue.ts";
import { bodyTooLarge } from "./gate.ts";

/**
 * Requests bodies that are held back, and counts bodies without a length against the limit of the client's plan. The gate has already
 * checked those with a length.
 */
export function limitBodies<Node extends RunningNode>(instance: FastifyInstance, admissions: Admissions<Node>): void {
  instance.addHook("preParsing", (request, reply, payload, done) => {
    sendContinue(reply.raw);
    if (request.headers["transfer-encoding"] === undefined) {
      done(null, payload);
      return;
    }
    const limit = admissions.getAdmitted(request.raw).grant.limits.bodyBytes;
    done(null, payload.pipe(createCounter(limit)));
  });
}

function createCounter(limit: number): Transform & { receivedEncodedLength: number } {
  const counter = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        counter.receivedEncodedLength += chunk.length;
        if (counter.receivedEncodedLength > limit) done(bodyTooLarge(limit));
        else done(null, chunk);
      },
    }),
    { receivedEncodedLength: 0 },
  );
  return counter;
}
