import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BitcoinProgram, createNodeCalls, miningAddress, nodeCredentials } from "./bitcoin-program.ts";
import { findFreePort } from "./free-port.ts";
import { type NodeProgram, startNodeProgram } from "./node-program.ts";

export interface BtcdOptions {
  /** regtest when not given. */
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

const { user, password } = nodeCredentials;

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
): Promise<BitcoinProgram> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const peerAddress = listensForPeers ? `127.0.0.1:${await findFreePort()}` : undefined;
  let program: NodeProgram | undefined;
  /** btcd begins regtest anew whenever it starts: these are handed to it again. */
  let blocks: readonly unknown[] = [];
  const { call, callEach } = createNodeCalls({ url, user, password });
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
