import type { FastifyInstance } from "fastify";
import type { ServedInterface } from "../registry/registry.ts";
import type { Admissions, RunningNode } from "./admission.ts";

/** A shorter key, which only a person can have chosen, may well be a part of a path or of a response. */
const unmistakableKeyLength = 16;

/** Stands where a key stood. As long as the key, so that lengths which are announced already stay right. */
const mask = "-";

/** Replaces a key in text by as many characters, also where some of its characters are percent-encoded, once or several times. */
export function hideKey(text: string, key: string): string {
  if (key.length < unmistakableKeyLength) return text;
  const plain = text.includes(key) ? text.replaceAll(key, mask.repeat(key.length)) : text;
  if (!plain.includes("%")) return plain;
  const characters = [...key].map((character) => {
    const code = character.charCodeAt(0).toString(16).padStart(2, "0");
    return `(?:${RegExp.escape(character)}|%(?:25)*${code})`;
  });
  return plain.replaceAll(new RegExp(characters.join(""), "gi"), (found) => mask.repeat(found.length));
}

/**
 * Hides the key that a request presented in the response that quotes it: a name of a method or a field, or a value, may be the key.
 * For interfaces whose responses are text; what is so long that it is streamed is no error.
 */
export function hideEchoedKeys<Node extends RunningNode>(
  instance: FastifyInstance,
  admissions: Admissions<Node>,
): void {
  instance.addHook("onSend", (request, reply, payload, done) => {
    const admission = admissions.find(request.raw);
    const mayHoldKey = admission?.admitted === true && mayQuote(admission.servedInterface, reply.statusCode);
    done(null, mayHoldKey ? hideInPayload(payload, admission.key) : payload);
  });
}

function hideInPayload(payload: unknown, key: string): unknown {
  if (typeof payload === "string") return hideInJson(payload, key);
  if (!Buffer.isBuffer(payload) || !payload.includes(key)) return payload;
  // Every byte is one character and back again.
  return Buffer.from(hideInJson(payload.toString("latin1"), key), "latin1");
}

/** A key that a person chose may have characters that JSON escapes. */
function hideInJson(text: string, key: string): string {
  const escaped = JSON.stringify(key).slice(1, -1);
  const hidden = hideKey(text, key);
  return escaped === key ? hidden : hideKey(hidden, escaped);
}

/** Errors of REST have their status; those of the others may stand in any response. */
function mayQuote(servedInterface: ServedInterface, status: number): boolean {
  return servedInterface !== "rest" || status >= 400;
}
