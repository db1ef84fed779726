import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "./free-port.ts";
import { type NodeProgram, startNodeProgram } from "./node-program.ts";

/** btcd on regtest, alone, on loopback. It has the same port and the same best chain when it is started again. */
export interface Btcd {
  /** Without credentials. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Where the coins go that it mines. */
  readonly miningAddress: string;
  /** Calls a method. Throws with the node's message when it refuses. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Mines blocks on the best one; gives their hashes, ascending. */
  generate(count: number): Promise<readonly string[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const user = "alice";
const password = "a-word-nobody-may-see";
/** Of a key that nobody has. */
const miningAddress = "mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8";

/** Prepares the btcd at `path` to run in `directory`; it is started apart. */
export async function prepareBtcd(path: string, directory: string): Promise<Btcd> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let program: NodeProgram | undefined;
  /** btcd begins regtest anew whenever it starts: these are handed to it again. */
  let blocks: readonly unknown[] = [];
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
      body: JSON.stringify({ jsonrpc: "1.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      result: unknown;
      error: { readonly message: string } | null;
    };
    if (error !== null) throw new Error(`btcd refuses ${method}: ${error.message}`);
    return result;
  };
  const readBlocks = async (): Promise<readonly unknown[]> => {
    const heights = Array.from({ length: Number(await call("getblockcount")) }, (_, index) => index + 1);
    const read = async (height: number) => await call("getblock", await call("getblockhash", height), 0);
    return await Promise.all(heights.map(read));
  };
  mkdirSync(directory, { recursive: true });
  const configuration = join(directory, "btcd.conf");
  writeFileSync(configuration, `[Application Options]\nrpcuser=${user}\nrpcpass=${password}\n`, { mode: 0o600 });
  return {
    url,
    user,
    password,
    miningAddress,
    call,
    generate: async (count) => (await call("generate", count)) as readonly string[],
    async start() {
      program = await startNodeProgram({
        path,
        parameters: [
          "--regtest",
          `--configfile=${configuration}`,
          `--datadir=${join(directory, "data")}`,
          `--logdir=${join(directory, "logs")}`,
          `--rpclisten=127.0.0.1:${port}`,
          `--miningaddr=${miningAddress}`,
          "--notls",
          "--nolisten",
          "--nodnsseed",
        ],
        environment: { HOME: directory },
        isReady: async () => typeof (await call("getblockcount")) === "number",
      });
      for (const block of blocks) await call("submitblock", block);
    },
    async stop() {
      if (program === undefined) return;
      blocks = await readBlocks().catch(() => []);
      await program.stop();
      program = undefined;
    },
  };
}
