import type { Upstream, UpstreamCall } from "@nodewright/upstream";
import { UpstreamRpcError } from "@nodewright/upstream";

/** Response of a node to a method: a result, an error to throw, or a function of the parameters. */
export type ScriptedResponse = unknown;

/** A node whose responses are scripted. */
export interface ScriptedNode {
  readonly upstream: Upstream;
  /** Received calls, in order. */
  readonly calls: readonly UpstreamCall[];
  /** Changes its responses from now on. */
  script(responses: Readonly<Record<string, ScriptedResponse>>): void;
}

/** Creates a node with the responses of the table; any other method fails with -32601. */
export function createScriptedNode(responses: Readonly<Record<string, ScriptedResponse>>): ScriptedNode {
  const calls: UpstreamCall[] = [];
  let table = responses;
  const response = (method: string, params: UpstreamCall["params"]): unknown => {
    if (!Object.hasOwn(table, method)) throw new UpstreamRpcError(-32601, "Method not found");
    const scripted = table[method];
    const result: unknown = typeof scripted === "function" ? scripted(params) : scripted;
    if (result instanceof Error) throw result;
    return structuredClone(result);
  };
  const call: Upstream["call"] = async (method, params = []) => {
    calls.push({ method, params });
    return response(method, params);
  };
  const upstream: Upstream = {
    call,
    batch: async (batched) =>
      await Promise.all(
        batched.map(async ({ method, params }) => {
          try {
            return { ok: true as const, result: await call(method, params) };
          } catch (error) {
            return { ok: false as const, error: error as UpstreamRpcError };
          }
        }),
      ),
    totals: () => ({ bytesSent: 0, bytesReceived: 0, methodCalls: calls.length }),
    close: async () => {},
  };
  return {
    upstream,
    calls,
    script: (next) => {
      table = { ...table, ...next };
    },
  };
}

/** Creates the node's own error. */
export function refused(code: number, message: string): UpstreamRpcError {
  return new UpstreamRpcError(code, message);
}

/** Responses that identify btcd. */
export const likeBtcd: Readonly<Record<string, ScriptedResponse>> = {
  getnetworkinfo: refused(-1, "Command unimplemented"),
  version: {
    btcdjsonrpcapi: { versionstring: "1.3.0", major: 1, minor: 3, patch: 0, prerelease: "", buildmetadata: "" },
  },
};

/** Responses that identify Bitcoin Core 31. */
export const likeCore: Readonly<Record<string, ScriptedResponse>> = {
  getnetworkinfo: {
    version: 310000,
    subversion: "/Satoshi:31.0.0/",
    protocolversion: 70016,
    localservices: "0000000000000c09",
    localservicesnames: ["NETWORK", "WITNESS", "NETWORK_LIMITED", "P2P_V2"],
    localrelay: true,
    timeoffset: -1,
    networkactive: true,
    connections: 11,
    connections_in: 1,
    connections_out: 10,
    networks: [
      { name: "ipv4", limited: false, reachable: true, proxy: "10.1.2.3:9050", proxy_randomize_credentials: true },
    ],
    relayfee: 0.000001,
    incrementalfee: 0.000001,
    localaddresses: [{ address: "198.51.100.9", port: 8333, score: 4 }],
    warnings: ["Unknown new rules activated"],
  },
};
