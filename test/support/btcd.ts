import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "./free-port.ts";
import { type NodeProgram, startNodeProgram } from "./node-program.ts";

/** btcd, on regtest unless it was asked for another network, alone, on loopback. It has the same port and the same best chain when it is started again. */
export interface Btcd {
  /** Without credentials. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Where the coins go that it mines. */
  readonly miningAddress: string;
  /** Where other nodes reach it; undefined when it does not listen. */
  readonly peerAddress: string | undefined;
  /** Of the process that runs; 0 while none does. */
  readonly pid: number;
  /** Calls a method. Throws `BtcdRefusal` when the node refuses. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Calls a method once for each list of parameters; gives the results in their order. Throws when one is refused. */
  callEach(method: string, each: readonly (readonly unknown[])[]): Promise<readonly unknown[]>;
  /** Mines blocks on the best one; gives their hashes, ascending. */
  generate(count: number): Promise<readonly string[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface BtcdOptions {
  readonly network?: keyof typeof networkFlags;
  /** Whether it finds transactions of blocks by their txid. */
  readonly hasTransactionIndex?: boolean;
  /** Whether it finds transactions by the addresses in them. */
  readonly hasAddressIndex?: boolean;
  /** Connections that it serves at once; its own number when not given. */
  readonly maximumClients?: number;
  /** Whether other nodes may connect to it, on loopback. */
  readonly listensForPeers?: boolean;
}

const networkFlags = {
  mainnet: [],
  testnet3: ["--testnet"],
  testnet4: ["--testnet4"],
  signet: ["--signet"],
  regtest: ["--regtest"],
} as const;

/** Calls in one request: btcd ends the connection after each. */
const callsPerRequest = 200;

const user = "alice";
const password = "a-word-nobody-may-see";
/** Of a key that nobody has. */
const miningAddress = "mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8";

/** Prepares the btcd at `path` to run in `directory`; it is started apart. */
export async function prepareBtcd(
  path: string,
  directory: string,
  {
    network = "regtest",
    hasTransactionIndex = false,
    hasAddressIndex = false,
    maximumClients,
    listensForPeers = false,
  }: BtcdOptions = {},
): Promise<Btcd> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const peerAddress = listensForPeers ? `127.0.0.1:${await findFreePort()}` : undefined;
  let program: NodeProgram | undefined;
  /** btcd begins regtest anew whenever it starts: these are handed to it again. */
  let blocks: readonly unknown[] = [];
  const post = async (body: unknown): Promise<unknown> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
      body: JSON.stringify(body),
    });
    return await response.json();
  };
  const resultOf = (method: string, { result, error }: Answer): unknown => {
    if (error !== null) throw new BtcdRefusal(method, error);
    return result;
  };
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    resultOf(method, (await post({ jsonrpc: "1.0", id: 1, method, params })) as Answer);
  const callEach = async (method: string, each: readonly (readonly unknown[])[]): Promise<readonly unknown[]> => {
    const results: unknown[] = [];
    for (let start = 0; start < each.length; start += callsPerRequest) {
      const calls = each.slice(start, start + callsPerRequest);
      const body = calls.map((params, position) => ({ jsonrpc: "2.0", id: start + position, method, params }));
      const answers = new Map(((await post(body)) as readonly Answer[]).map((answer) => [answer.id, answer]));
      for (const { id } of body) {
        const answer = answers.get(id);
        if (answer === undefined) throw new Error(`btcd leaves a call of ${method} unanswered`);
        results.push(resultOf(method, { ...answer, error: answer.error ?? null }));
      }
    }
    return results;
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
    peerAddress,
    get pid() {
      return program?.pid ?? 0;
    },
    call,
    callEach,
    generate: async (count) => (await call("generate", count)) as readonly string[],
    async start() {
      program = await startNodeProgram({
        path,
        parameters: [
          ...networkFlags[network],
          ...(hasTransactionIndex ? ["--txindex"] : []),
          ...(hasAddressIndex ? ["--addrindex"] : []),
          ...(maximumClients === undefined ? [] : [`--rpcmaxclients=${maximumClients}`]),
          `--configfile=${configuration}`,
          `--datadir=${join(directory, "data")}`,
          `--logdir=${join(directory, "logs")}`,
          `--rpclisten=127.0.0.1:${port}`,
          ...(network === "regtest" ? [`--miningaddr=${miningAddress}`] : []),
          "--notls",
          peerAddress === undefined ? "--nolisten" : `--listen=${peerAddress}`,
          "--nodnsseed",
        ],
        environment: { HOME: directory },
        isReady: async () => typeof (await call("getblockcount")) === "number",
      });
      if (network === "regtest") for (const block of blocks) await call("submitblock", block);
    },
    async stop() {
      if (program === undefined) return;
      if (network === "regtest") blocks = await readBlocks().catch(() => []);
      await program.stop();
      program = undefined;
    },
  };
}

interface Answer {
  readonly id: unknown;
  readonly result: unknown;
  readonly error: BtcdError | null;
}

interface BtcdError {
  readonly code: number;
  readonly message: string;
}

/** What btcd answers in place of a result. */
export class BtcdRefusal extends Error {
  readonly error: BtcdError;

  constructor(method: string, error: BtcdError) {
    super(`btcd refuses ${method}: ${error.message}`);
    this.error = error;
  }
}
