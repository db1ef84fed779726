import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { playSuite } from "../../../run/play-suite.ts";
import type { HttpSuite } from "../../../suite/suite.ts";
import { blamedCases } from "../../../testing/blamed-cases.ts";

/** A request in the form for the small servers of tests. */
export interface TestRequest {
  readonly path: string;
  /** Path with query. */
  readonly target: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Response of such a server; a body that is not a string is serialized as JSON. */
export interface TestResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the ids of the rules that a server violates, each once; methods other than GET and HEAD get a 405. */
export async function failedRules(
  suite: HttpSuite,
  respond: (requested: TestRequest) => TestResponse,
): Promise<readonly string[]> {
  const server = createServer((request, response) => {
    const target = request.url ?? "/";
    const { pathname: path, searchParams: query } = new URL(target, "http://localhost");
    const isRead = request.method === "GET" || request.method === "HEAD";
    const { status, body, headers } = isRead
      ? respond({ path, target, query, headers: request.headers })
      : { status: 405, body: undefined, headers: { allow: "GET, HEAD" } };
    const text = typeof body === "string" || body === undefined ? (body ?? "") : JSON.stringify(body);
    response.writeHead(status, { ...(text === "" ? {} : { "content-type": "application/json" }), ...headers });
    response.end(request.method === "HEAD" || status === 304 ? undefined : text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const report = await playSuite(suite, { baseUrl, seed: "abc", rate: 100_000 });
    return [...new Set(blamedCases(report).flatMap(({ findings }) => findings.map(({ rule }) => rule)))].toSorted();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
