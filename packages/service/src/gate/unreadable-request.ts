import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { closeLingering, lingerAfterReplies } from "./lingering-close.ts";
import { problemOfFraming } from "./message-framing.ts";

const exchange: unique symbol = Symbol("latest exchange");
const isClosing: unique symbol = Symbol("is closing");
const isUnreadable: unique symbol = Symbol("is unreadable");

/** A connection with the latest request on it. */
type ServedSocket = Socket & { [exchange]?: Exchange; [isClosing]?: boolean; [isUnreadable]?: boolean };

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Responses pipelined before `response` and not sent yet. */
  readonly earlier: readonly ServerResponse[];
}

/**
 * Tracks the connections of a listener: none that ends is reset before the client has its response, and no request that comes after a
 * response with `Connection: close` is processed (RFC 9112, section 9.6). Records what `createUnreadableHandler` needs.
 */
export function followConnections(instance: FastifyInstance): void {
  lingerAfterReplies(instance);
  // Rejected by `problemOfFraming`: Node's own response has no body.
  instance.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    instance.server.emit("request", request, response);
  });
  instance.addHook("onRequest", ({ raw }, reply, done) => {
    const socket: ServedSocket = raw.socket;
    if (socket[isClosing] === true) {
      reply.hijack();
      raw.resume();
      return;
    }
    const last = socket[exchange];
    const earlier = last === undefined || last.response.closed ? none : [...last.earlier, last.response].filter(isOpen);
    socket[exchange] = { request: raw, response: reply.raw, earlier };
    done();
  });
  instance.addHook("onSend", ({ raw }, reply, payload, done) => {
    if (reply.getHeader("connection") === "close" || !reply.raw.shouldKeepAlive) {
      (raw.socket as ServedSocket)[isClosing] = true;
    }
    done(null, payload);
  });
}

/**
 * Creates the handler of bytes that Node can't parse as a request (`clientError`): a response in one line of text, and the end of the
 * connection.
 *
 * It comes after the responses to the requests before it. A request that has its own response, or is about to be rejected for its framing,
 * gets no second one.
 */
export function createUnreadableHandler(
  headers: Readonly<Record<string, string>>,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket: ServedSocket) => {
    // The parser fails again with each further packet.
    if (socket[isUnreadable] === true) return;
    socket[isUnreadable] = true;
    socket[isClosing] = true;
    const last = socket[exchange];
    const isBody = last?.request.complete === false;
    const end = (): void => {
      if (socket.writable && !(isBody && last.response.headersSent)) socket.write(renderRefusal(error.code, headers));
      closeLingering(socket);
    };
    const awaited = awaitedResponse(last, isBody);
    if (awaited === undefined) end();
    else awaited.once("close", end);
  };
}

/** Returns the response after which an unreadable request is rejected; `undefined` when that is now. */
function awaitedResponse(last: Exchange | undefined, isBody: boolean): ServerResponse | undefined {
  if (last === undefined) return undefined;
  const isUnanswered = isBody && !last.response.headersSent && problemOfFraming(last.request) === undefined;
  return (isUnanswered ? last.earlier : [...last.earlier, last.response]).findLast(isOpen);
}

function isOpen(response: ServerResponse): boolean {
  return !response.closed;
}

function renderRefusal(code: string | undefined, headers: Readonly<Record<string, string>>): string {
  const [status, line] = refusals.get(code) ?? ["400 Bad Request", "The request can't be read"];
  const fields = {
    connection: "close",
    ...headers,
    "content-type": "text/plain; charset=utf-8",
    "content-length": line.length,
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${head.join("")}\r\n${line}`;
}

const refusals: ReadonlyMap<string | undefined, readonly [status: string, line: string]> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", ["408 Request Timeout", "The request took too long to arrive"]],
  ["HPE_HEADER_OVERFLOW", ["431 Request Header Fields Too Large", "The request's headers are too large"]],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", ["413 Content Too Large", "The request's chunk extensions are too large"]],
]);

const none: readonly ServerResponse[] = [];
