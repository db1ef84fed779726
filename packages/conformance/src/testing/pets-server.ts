import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpSuite } from "../suite/suite.ts";
import type { SuiteType } from "../suite/suite-type.ts";

const pet: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: { kind: "number", integer: true, minimum: 1 }, required: true },
    { name: "name", type: { kind: "string" }, required: true, place: "12:9" },
  ],
  place: "10:9",
};

const extensions = { disabledByDefault: false, nodeControl: false, units: 1 };

/** A suite of two operations, one of which changes something. */
export const petsSuite: HttpSuite = {
  format: 2,
  protocol: "http",
  name: "pets",
  title: "Pets",
  version: "1.0.0",
  source: "pets.yaml",
  security: { key: { kind: "api-key", location: "query", parameter: "apikey" } },
  types: {},
  operations: [
    {
      name: "getPet",
      origin: "GET /pet",
      tags: [],
      method: "GET",
      path: "/pet",
      parameters: [],
      successes: [
        {
          status: 200,
          headers: [],
          content: { mediaType: "application/json", form: "json", type: pet },
          place: "8:7",
        },
      ],
      failures: [],
      examples: [],
      links: [],
      relations: [],
      extensions,
    },
    {
      name: "addPet",
      origin: "POST /pet",
      tags: [],
      method: "POST",
      path: "/pet",
      parameters: [],
      successes: [{ status: 204, headers: [] }],
      failures: [],
      examples: [],
      links: [],
      relations: [],
      extensions,
    },
  ],
};

/** A server of pets that can be made to do otherwise. */
export interface PetsServer {
  readonly url: string;
  readonly requested: readonly string[];
  /** Answered to `GET /pet`. */
  body: unknown;
  /** Said in every answer, where a careless server would. */
  echo: ((request: IncomingMessage) => string) | undefined;
  close(): Promise<void>;
}

/** Starts a server that does what the suite says. */
export async function startPetsServer(): Promise<PetsServer> {
  const requested: string[] = [];
  const server: Server = createServer((request, response) => {
    requested.push(`${request.method} ${request.url}`);
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const status = path !== "/pet" ? 404 : isRead ? 200 : 405;
    const echo = pets.echo?.(request);
    if (status === 405) response.setHeader("allow", "GET, HEAD, POST");
    if (echo !== undefined) response.setHeader("x-echo", encodeURIComponent(echo));
    response.writeHead(status, { "content-type": "application/json" });
    const body = status === 200 ? pets.body : { message: "no" };
    const said = echo === undefined ? body : { ...Object(body), echo };
    response.end(request.method === "HEAD" ? undefined : JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const pets: PetsServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    body: { id: 1, name: "Ada" },
    echo: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return pets;
}
