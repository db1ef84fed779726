import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BitcoinProgram, createNodeCalls, miningAddress, nodeCredentials } from "./bitcoin-program.ts";
import { findFreePort } from "./free-port.ts";
import { type NodeProgram, startNodeProgram } from "./node-program.ts";

/** A Bitcoin Core that a test starts. With a cookie, user and password are those of its last start. */
export interface BitcoinCore extends BitcoinProgram {
  /** Where it writes user and password of its own choice while it runs with a cookie. */
  readonly cookieFile: string;
  /** Where it keeps its blocks, masked with a key of its own. */
  readonly blocksDirectory: string;
}

export interface BitcoinCoreOptions {
  /** regtest when not given. */
  readonly network?: keyof typeof networks;
  /** Whether it finds transactions of blocks by their txid. */
  readonly hasTransactionIndex?: boolean;
  /** Whether it builds the filters of BIP 158. */
  readonly hasBlockFilters?: boolean;
  /** Whether it builds the index of coin statistics. */
  readonly hasCoinStatistics?: boolean;
  /** Whether other nodes may connect to it, on loopback. */
  readonly listensForPeers?: boolean;
  /** Whether it is given a password or writes its own into a cookie file. A password when not given. */
  readonly credentials?: "password" | "cookie";
  /** Added to the command line. */
  readonly parameters?: readonly string[];
}

const networks = {
  mainnet: { chain: "main", folder: "" },
  regtest: { chain: "regtest", folder: "regtest" },
} as const;

const { user, password } = nodeCredentials;
/** Of a script that nobody has. */
const otherMiningAddress = "2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc";

/** Prepares the bitcoind at `path` to run in `directory`; it is started apart. */
export async function prepareBitcoinCore(
  path: string,
  directory: string,
  {
    network = "regtest",
    hasTransactionIndex = false,
    hasBlockFilters = false,
    hasCoinStatistics = false,
    listensForPeers = false,
    credentials = "password",
    parameters = [],
  }: BitcoinCoreOptions = {},
): Promise<BitcoinCore> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const peerAddress = listensForPeers ? `127.0.0.1:${await findFreePort()}` : undefined;
  const { chain, folder } = networks[network];
  const data = join(directory, "data");
  mkdirSync(data, { recursive: true });
  // A password on the command line can be read by every user of the machine.
  const configuration = join(directory, "bitcoin.conf");
  const hasCookie = credentials === "cookie";
  writeFileSync(configuration, hasCookie ? "" : `rpcuser=${user}\nrpcpassword=${password}\n`, { mode: 0o600 });
  const cookieFile = join(data, folder, ".cookie");
  const { call, callEach } = createNodeCalls({
    url,
    user: hasCookie ? "__cookie__" : user,
    get password() {
      return hasCookie ? readFileSync(cookieFile, "utf8").slice("__cookie__:".length) : password;
    },
  });
  let program: NodeProgram | undefined;
  let rounds = 0;
  return {
    url,
    user,
    password,
    miningAddress,
    peerAddress,
    cookieFile,
    blocksDirectory: join(data, folder, "blocks"),
    get pid() {
      return program?.pid ?? 0;
    },
    call,
    callEach,
    async generate(count) {
      // Paying the same address above the same block within a second mines the same block again, which may be an invalid one by now.
      rounds += 1;
      const paid = rounds % 2 === 0 ? otherMiningAddress : miningAddress;
      return (await call("generatetoaddress", count, paid)) as readonly string[];
    },
    async start() {
      program = await startNodeProgram({
        path,
        parameters: [
          `-chain=${chain}`,
          `-conf=${configuration}`,
          `-datadir=${data}`,
          "-rpcbind=127.0.0.1",
          "-rpcallowip=127.0.0.1",
          `-rpcport=${port}`,
          // Batches of the tests wait in its queue one after the other.
          "-rpcworkqueue=256",
          "-server=1",
          "-connect=0",
          "-dnsseed=0",
          "-fixedseeds=0",
          "-natpmp=0",
          ...(peerAddress === undefined ? ["-listen=0"] : ["-listen=1", `-bind=${peerAddress}`, "-listenonion=0"]),
          `-txindex=${Number(hasTransactionIndex)}`,
          `-blockfilterindex=${Number(hasBlockFilters)}`,
          `-coinstatsindex=${Number(hasCoinStatistics)}`,
          // Blocks of the tests may be years old, and of less work than the network's: it would be in its first download for ever.
          "-maxtipage=1000000000",
          ...(network === "mainnet" ? ["-minimumchainwork=0x00", "-assumevalid=0"] : []),
          "-dbcache=64",
          "-printtoconsole=1",
          ...parameters,
        ],
        isReady: async () => typeof (await call("getblockcount")) === "number",
      });
    },
    async stop() {
      await program?.stop();
      program = undefined;
    },
  };
}
