import { findFreePort } from "./free-port.ts";
import { type NodeProgram, startNodeProgram } from "./node-program.ts";

/** anvil on loopback, mining each transaction at once. It keeps its port over a stop and a start, and begins anew then. */
export interface Anvil {
  readonly url: string;
  /** Calls a method. Throws with the node's message when it refuses. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Prepares the anvil at `path` with a chain of this id; it is started apart. */
export async function prepareAnvil(path: string, chainId: number): Promise<Anvil> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let program: NodeProgram | undefined;
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { readonly message: string } };
    if (error !== undefined) throw new Error(`anvil refuses ${method}: ${error.message}`);
    return result;
  };
  return {
    url,
    call,
    async start() {
      program = await startNodeProgram({
        path,
        parameters: ["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(chainId), "--silent"],
        isReady: async () => BigInt(String(await call("eth_chainId"))) === BigInt(chainId),
      });
    },
    async stop() {
      await program?.stop();
      program = undefined;
    },
  };
}
