import { connect, type Socket } from "node:net";
import type { Dispatcher } from "undici";
import { HttpResponseReader } from "./http-response-reader.ts";

/** Part of a dispatcher that one POST needs. */
export type PostDispatcher = Pick<Dispatcher, "dispatch">;

export interface SingleUseOptions {
  readonly url: URL;
  readonly connectMilliseconds: number;
}

/** Error for a connection that was not established in time; named as undici names it. */
class ConnectTimeout extends Error {
  readonly code = "UND_ERR_CONNECT_TIMEOUT";
}

/** Error for a connection that ended before the response; named as undici names it. */
class SocketEnded extends Error {
  readonly code = "UND_ERR_SOCKET";
}

/**
 * Creates a dispatcher that opens a connection for each request, for nodes that end it with each response over `http:`.
 *
 * A pool has nothing to keep there, and its bookkeeping costs more than the connection.
 */
export function createSingleUseDispatcher({ url, connectMilliseconds }: SingleUseOptions): PostDispatcher {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? 80 : Number(url.port);
  return {
    dispatch({ path, headers, body }, handler) {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const head = renderHead(url.host, path, headers as Readonly<Record<string, string>>, bytes.length);
      const socket = connect({ host, port, noDelay: true });
      new Exchange(socket, Buffer.concat([Buffer.from(head), bytes]), handler, connectMilliseconds);
      return true;
    },
  };
}

function renderHead(host: string, path: string, headers: Readonly<Record<string, string>>, length: number): string {
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-length: ${length}\r\n`;
  for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
  return `${head}\r\n`;
}

class Exchange {
  readonly #socket: Socket;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #reader: HttpResponseReader;
  readonly #timer: NodeJS.Timeout;
  readonly #controller: Dispatcher.DispatchController;
  #isOver = false;

  constructor(socket: Socket, request: Buffer, handler: Dispatcher.DispatchHandler, connectMilliseconds: number) {
    this.#socket = socket;
    this.#handler = handler;
    this.#controller = createController(socket, (reason) => this.#fail(reason));
    this.#reader = new HttpResponseReader({
      onHead: ({ status, headers }) => handler.onResponseStart?.(this.#controller, status, headers),
      onBody: (chunk) => handler.onResponseData?.(this.#controller, chunk),
      onEnd: () => this.#end(),
    });
    this.#timer = setTimeout(() => this.#fail(new ConnectTimeout("No connection in time")), connectMilliseconds);
    socket.on("connect", () => {
      clearTimeout(this.#timer);
      handler.onRequestStart?.(this.#controller, undefined);
      if (!this.#isOver) socket.write(request);
    });
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("end", () => this.#readEnd());
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new SocketEnded("The connection has ended")));
  }

  #read(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#reader.push(chunk);
    } catch (reason) {
      this.#fail(reason);
    }
  }

  #readEnd(): void {
    if (this.#isOver) return;
    try {
      this.#reader.end();
    } catch {
      this.#fail(new SocketEnded("The connection has ended"));
    }
  }

  #end(): void {
    this.#close();
    this.#handler.onResponseEnd?.(this.#controller, {});
  }

  #fail(reason: unknown): void {
    if (this.#isOver) return;
    this.#close();
    this.#handler.onResponseError?.(this.#controller, reason instanceof Error ? reason : new Error("Unknown failure"));
  }

  #close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#socket.destroy();
  }
}

function createController(socket: Socket, abort: (reason: Error) => void): Dispatcher.DispatchController {
  return {
    abort,
    aborted: false,
    paused: false,
    reason: null,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  };
}
