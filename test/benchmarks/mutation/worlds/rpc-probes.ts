import type { Probe } from "./world.ts";

/** One request for each call. */
export function rpcProbes(calls: readonly (readonly [string, unknown?])[]): Probe[] {
  return calls.map(([method, params], id) => ({
    kind: "rpc",
    body: JSON.stringify({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }),
  }));
}

/** What JSON-RPC 2.0 says of envelopes, asked with a method that has no parameters. */
export function protocolProbes(method: string): Probe[] {
  const call = (id: unknown): unknown => ({ jsonrpc: "2.0", id, method });
  const bodies = [
    "{",
    "[]",
    "[1]",
    "1",
    "null",
    JSON.stringify({ jsonrpc: "2.0", method: 1, id: 1 }),
    JSON.stringify({ jsonrpc: "1.1", method, id: 1 }),
    JSON.stringify({ method, id: 1 }),
    JSON.stringify({ jsonrpc: "2.0", method, params: "x", id: 1 }),
    JSON.stringify({ jsonrpc: "2.0", method }),
    JSON.stringify({ jsonrpc: "2.0", method, id: {} }),
    JSON.stringify(call("text")),
    JSON.stringify(call(0)),
    JSON.stringify(call(null)),
    JSON.stringify(call(-7)),
    JSON.stringify([call(1), call("two"), call(3)]),
    JSON.stringify([call(1)]),
    JSON.stringify([call(1), { jsonrpc: "2.0", method }]),
    JSON.stringify([{ jsonrpc: "2.0", method }]),
    JSON.stringify([call(1), 5, { jsonrpc: "2.0", id: 2, method: "nosuchmethod" }]),
  ];
  return [
    ...bodies.map((body): Probe => ({ kind: "rpc", body })),
    { kind: "rpc", body: "", method: "GET" },
    { kind: "rpc", body: JSON.stringify(call(1)), contentType: "text/plain" },
  ];
}
