import { execFile } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireProgram } from "../support/requirement.ts";
import { type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { root } from "../support/workspace.ts";

const run = promisify(execFile);
const curl = requireProgram("curl").path;
const python = requireProgram("python3").path;
const go = requireProgram("post-chunks").path;
const hasRequests = python !== undefined && (await canRun(python, ["-c", "import requests"]));

async function canRun(program: string, parameters: readonly string[]): Promise<boolean> {
  try {
    await run(program, [...parameters]);
    return true;
  } catch {
    return false;
  }
}

interface Received {
  readonly status: number;
  readonly body: string;
}

/** Far more than the buffers of both sockets hold, so that a client that does not read is still sending when it is refused. */
const megabytes = 24;

function pieces(): Readable {
  const piece = Buffer.alloc(65_536, " ");
  return Readable.from(Array.from({ length: megabytes * 16 }, () => piece));
}

async function postWithNode(url: string): Promise<Received> {
  const request = httpRequest(url, { method: "POST" });
  pieces().pipe(request);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  // What is left of the body can't be sent.
  request.on("error", () => undefined);
  return { status: response.statusCode ?? 0, body: await text(response) };
}

async function postWithFetch(url: string): Promise<Received> {
  const init = { method: "POST", body: Readable.toWeb(pieces()), duplex: "half" };
  const response = await fetch(url, init as RequestInit);
  return { status: response.status, body: await response.text() };
}

/** Writes all of the body before it reads a byte. */
async function postWithSocket(url: string): Promise<Received> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.write(
    `POST ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  for await (const piece of pieces() as AsyncIterable<Buffer>) {
    const head = Buffer.from(`${piece.length.toString(16)}\r\n`);
    if (!socket.write(Buffer.concat([head, piece, Buffer.from("\r\n")]))) await once(socket, "drain");
  }
  socket.write("0\r\n\r\n");
  const received = await text(socket);
  return {
    status: Number(received.split(" ")[1]),
    body: received.slice(received.indexOf("\r\n\r\n") + 4),
  };
}

async function postWithCurl(url: string): Promise<Received> {
  const child = run(curl ?? "", [
    "-s",
    "-w",
    "\n%{http_code}",
    "-H",
    "Transfer-Encoding: chunked",
    "-T",
    "-",
    "-X",
    "POST",
    url,
  ]);
  const { stdin } = child.child;
  // curl stops reading when it has its response.
  stdin?.on("error", () => undefined);
  if (stdin !== null) pieces().pipe(stdin);
  const { stdout } = await child;
  const end = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(end)), body: stdout.slice(0, end) };
}

function postWithPython(client: string): (url: string) => Promise<Received> {
  return async (url) => {
    const script = `${root}/test/foreign-clients/python/post_chunks.py`;
    const { stdout } = await run(python ?? "", [script, client, url, String(megabytes)]);
    return JSON.parse(stdout) as Received;
  };
}

async function postWithGo(url: string): Promise<Received> {
  const { stdout } = await run(go ?? "", [url, String(megabytes)]);
  return JSON.parse(stdout) as Received;
}

interface Client {
  readonly name: string;
  readonly isHere: boolean;
  readonly post: (url: string) => Promise<Received>;
}

const clients: readonly Client[] = [
  { name: "node:http", isHere: true, post: postWithNode },
  { name: "fetch, which is undici", isHere: true, post: postWithFetch },
  { name: "a socket that reads nothing before it has sent everything", isHere: true, post: postWithSocket },
  { name: "curl", isHere: curl !== undefined, post: postWithCurl },
  { name: "Python's http.client", isHere: python !== undefined, post: postWithPython("http.client") },
  { name: "Python's urllib", isHere: python !== undefined, post: postWithPython("urllib") },
  { name: "Python's socket", isHere: python !== undefined, post: postWithPython("socket") },
  { name: "Python's requests", isHere: hasRequests, post: postWithPython("requests") },
  { name: "Go's net/http", isHere: go !== undefined, post: postWithGo },
];

describe("a chunked body over the limit", { timeout: 120_000 }, () => {
  let service: StartedService;
  let node: ReadyNode;

  beforeAll(async () => {
    service = await startService();
    const bitcoin = service.nodes.find(({ chain }) => chain === "bitcoin");
    if (bitcoin === undefined) throw new Error("There is no Bitcoin node");
    node = bitcoin;
  }, 120_000);

  afterAll(async () => {
    await service?.stop();
  });

  describe.each(clients)("sent by $name", ({ isHere, post }) => {
    it.skipIf(!isHere).each(["/", "/indexer/rest/tx"])(
      "is refused with a 413 that the client reads: %s",
      async (path) => {
        const { status, body } = await post(`${node.endpoint}${path}?apikey=${node.apikey}`);
        expect(status).toBe(413);
        expect(body).toContain("The request body is larger than 1048576 bytes");
      },
    );

    it.skipIf(!isHere)("is refused with a 401 that the client reads when the key is wrong", async () => {
      expect((await post(`${node.endpoint}/?apikey=wrong`)).status).toBe(401);
    });
  });
});
