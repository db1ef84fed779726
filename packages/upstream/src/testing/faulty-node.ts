import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A call as a node receives it. */
export interface NodeCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Fault that a node sends in place of a response. It ends the response, or never does. */
export type Fault = (response: ServerResponse, answer: string) => void;

/** Error thrown by a node's `respond`: its own error response. */
export class NodeRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Options of a faulty node. */
export interface FaultyNodeOptions {
  /** Returns the result of a call, or throws a `NodeRefusal`. */
  respond(method: string, params: readonly unknown[]): unknown;
}

/** A fake node that serves JSON-RPC over HTTP on loopback, and fails on demand. */
export class FaultyNode {
  /** Fault that spoils every response, or those to certain methods, while it is set. */
  fault: Fault | undefined;
  /** Methods that `fault` affects; absent: all. */
  faultyMethods: ReadonlySet<string> | undefined;
  /** Whether the connection ends with each response, as with btcd. */
  closesConnections = false;
  /** Maximum concurrent requests; more are refused as btcd refuses them. */
  maximumRequests: number = Number.POSITIVE_INFINITY;
  /** Delay before each response. */
  delayMilliseconds = 0;
  /** All received calls, in their order. */
  readonly calls: NodeCall[] = [];
  readonly #options: FaultyNodeOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #requests = 0;
  #peakRequests = 0;
  #aborted = 0;
  #connections = 0;

  constructor(options: FaultyNodeOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => this.#respond(Buffer.concat(chunks).toString(), response));
      request.on("error", () => undefined);
      response.on("close", () => {
        if (!response.writableFinished) this.#aborted += 1;
      });
    });
    this.#server.on("connection", (socket) => {
      this.#connections += 1;
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket)).on("error", () => undefined);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** Number of connections so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Maximum number of requests that were in flight at once. */
  get peakRequests(): number {
    return this.#peakRequests;
  }

  /** Number of requests that were aborted before their response. */
  get aborted(): number {
    return this.#aborted;
  }

  /** Returns how often a method was called. */
  count(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  /** Listens, on the previous port if there was one. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    const address = this.#server.address() as AddressInfo;
    this.#port = address.port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #respond(text: string, response: ServerResponse): void {
    const body: NodeCall | readonly NodeCall[] = JSON.parse(text);
    const calls = Array.isArray(body) ? (body as readonly NodeCall[]) : [body as NodeCall];
    this.calls.push(...calls);
    if (this.closesConnections) response.setHeader("connection", "close");
    if (this.#requests >= this.maximumRequests) {
      faults.tooBusy(response, "");
      return;
    }
    this.#requests += 1;
    this.#peakRequests = Math.max(this.#peakRequests, this.#requests);
    response.on("close", () => (this.#requests -= 1));
    const responses = calls.map((call) => this.#response(call));
    const answer = JSON.stringify(Array.isArray(body) ? responses : responses[0]);
    const { faultyMethods } = this;
    const isFaulty = faultyMethods === undefined || calls.some(({ method }) => faultyMethods.has(method));
    const send = (): void => {
      if (this.fault !== undefined && isFaulty) this.fault(response, answer);
      else response.setHeader("content-type", "application/json").end(answer);
    };
    if (this.delayMilliseconds === 0) send();
    else setTimeout(send, this.delayMilliseconds);
  }

  #response({ id, method, params }: NodeCall): unknown {
    try {
      return { result: this.#options.respond(method, params) ?? null, error: null, id };
    } catch (reason) {
      if (!(reason instanceof NodeRefusal)) throw reason;
      return { result: null, error: { code: reason.code, message: reason.message }, id };
    }
  }
}

/** Known faults of a node over HTTP, by name. */
export const faults = {
  /** Accepts the request and never responds. */
  hangs: () => undefined,
  /** Begins a response and never ends it. */
  stalls: (response, answer) => {
    response.setHeader("content-length", answer.length).write(answer.slice(0, 9));
  },
  resets: (response) => {
    response.socket?.resetAndDestroy();
  },
  closes: (response) => {
    response.socket?.destroy();
  },
  breaksWithinResponse: (response, answer) => {
    response.setHeader("content-length", answer.length).write(answer.slice(0, 9));
    setTimeout(() => response.socket?.resetAndDestroy(), 5);
  },
  /** Responds as btcd does to what it does not understand. */
  emptyLine: (response) => response.end("\n"),
  html: (response) => response.setHeader("content-type", "text/html").end("<html><body>Welcome</body></html>"),
  badGateway: (response) => response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>"),
  notJsonRpc: (response) => response.end('{"message":"hello"}'),
  truncatedJson: (response, answer) => response.end(answer.slice(0, -9)),
  wrongId: (response, answer) => response.end(changeIds(answer, () => 987_654_321)),
  textId: (response, answer) => response.end(changeIds(answer, String)),
  shuffledBatch: (response, answer) => response.end(changeBatch(answer, (members) => members.toReversed())),
  shortBatch: (response, answer) => response.end(changeBatch(answer, (members) => members.slice(1))),
  /** Refuses as Bitcoin Core does. */
  workQueueExceeded: (response) => response.writeHead(503).end("Work queue depth exceeded"),
  /** Refuses as btcd does. */
  tooBusy: (response) => response.writeHead(503).end("503 Too busy.  Try again later.\n"),
  rateLimited: (response) => response.writeHead(429, { "retry-after": "1" }).end("Slow down"),
  wrongCredentials: (response) => response.writeHead(401).end(),
} satisfies Readonly<Record<string, Fault>> as Readonly<Record<FaultName, Fault>>;

/** Name of a fault that a faulty node can inject. */
export type FaultName =
  | "hangs"
  | "stalls"
  | "resets"
  | "closes"
  | "breaksWithinResponse"
  | "emptyLine"
  | "html"
  | "badGateway"
  | "notJsonRpc"
  | "truncatedJson"
  | "wrongId"
  | "textId"
  | "shuffledBatch"
  | "shortBatch"
  | "workQueueExceeded"
  | "tooBusy"
  | "rateLimited"
  | "wrongCredentials";

function changeIds(answer: string, change: (id: unknown) => unknown): string {
  const value: NodeCall | readonly NodeCall[] = JSON.parse(answer);
  const changeOne = (member: NodeCall): unknown => ({ ...member, id: change(member.id) });
  return JSON.stringify(Array.isArray(value) ? value.map(changeOne) : changeOne(value as NodeCall));
}

function changeBatch(answer: string, change: (members: readonly unknown[]) => readonly unknown[]): string {
  const value: unknown = JSON.parse(answer);
  return Array.isArray(value) ? JSON.stringify(change(value)) : answer;
}
