import type { NodeIdentity } from "@nodewright/bitcoin-node";
import { type NetworkName, networks } from "@nodewright/bitcoin-primitives";
import type { UpstreamCredentials } from "@nodewright/upstream";
import { problemOfKey } from "../registry/api-key.ts";
import { StartProblem } from "./start-problem.ts";

/** Values of `--bitcoin-network`. */
export const bitcoinNetworks: readonly NetworkName[] = Object.values(networks).map((network) => network.name);

/** Options of a guarded upstream other than its nodes' addresses; plain data that can be sent to another process. */
export interface NodeGuard {
  /** Number of blocks beyond which a lagging node is excluded. Absent: the default of the upstream. */
  readonly maximumLag?: number;
  /** Maximum number of connections to a node. */
  readonly connections?: number;
  /** Number of consecutive failures after which a node's circuit opens. */
  readonly failures?: number;
  /** Cooldown in milliseconds, the first time. */
  readonly cooldownMilliseconds?: number;
  /** Whether a second node is called where the first is slow. */
  readonly hedgesReads: boolean;
}

/** Address of a user's own node, without user and password, which are separate. */
export interface NodeAddress {
  readonly url: string;
  readonly credentials: UpstreamCredentials;
}

export type BitcoinOrigin =
  | { readonly kind: "demo" }
  | { readonly kind: "blocks"; readonly directory: string; readonly network: NetworkName }
  | {
      readonly kind: "node";
      /** Nodes, at least one; all of one chain. */
      readonly nodes: readonly NodeAddress[];
      readonly guard: NodeGuard;
      /** Directory of the node's block files: blocks there are read from the files. */
      readonly blocks?: string;
      /** ZMQ address at which the node publishes new blocks. */
      readonly announcements?: string;
      /** Network; without it, the node is queried. */
      readonly network?: NetworkName;
    };

export type EthereumOrigin =
  | { readonly kind: "demo" }
  | {
      readonly kind: "node";
      /** Nodes, at least one; all of one chain. */
      readonly nodes: readonly NodeAddress[];
      readonly guard: NodeGuard;
      /** Chain ID, hexadecimal. Without it, that of the first node that responds. */
      readonly chainId?: string;
      /** Maximum number of calls in one request to a node, where it accepts so many. */
      readonly batchLimit?: number;
      /** Value of `protocolVersion` where the node reports none. */
      readonly protocolVersion?: number;
      /** Memory for cached blocks, receipts and states, in MB of 10^6 bytes; 0 disables the cache. */
      readonly cacheMegabytes?: number;
    };

/** Options of `start`. */
export interface StartOptions {
  readonly host: string;
  /** Port; 0 for any free one. */
  readonly port: number;
  /** Port of the operator's listener, on loopback; 0 for any free one. Absent: there is none. */
  readonly operatorPort?: number;
  readonly dataDirectory: string;
  readonly readyFile?: string;
  readonly apiKey?: string;
  /** Number of processes that serve requests; with 1, the started process serves itself. */
  readonly servingProcesses: number;
  /** Whether the key may be in the path, too. */
  readonly keysInPath: boolean;
  /** Whether GraphiQL is at `/docs` of the public listener too, for everyone. */
  readonly publicDocs: boolean;
  readonly bitcoin: BitcoinOrigin;
  readonly bitcoinSwitches: BitcoinSwitches;
  /** Identity of the Bitcoin interface, where no upstream node reports one. */
  readonly identity: NodeIdentity;
  readonly ethereum: EthereumOrigin;
}

/** Features of a Bitcoin node that its operator selects. */
export interface BitcoinSwitches {
  /** Whether the index keeps addresses, for searches by prefix. */
  readonly addressSearch: boolean;
  /** Whether blocks in plain block files are read in place and not copied. */
  readonly blocksInPlace: boolean;
  /** Whether the node's block templates may be read. */
  readonly blockTemplates: boolean;
  /** Whether basic filters of blocks (BIP 158) and the chain of their headers are kept alongside the index. */
  readonly blockFilters: boolean;
  /** Whether statistics of all unspent outputs after each block are kept alongside the index. */
  readonly coinStatistics: boolean;
}

/** Options of `start` as written on the command line. */
export interface StartArguments {
  readonly host: string;
  readonly port: string;
  readonly "operator-port"?: string | undefined;
  readonly data: string;
  readonly "ready-file"?: string | undefined;
  readonly "api-key"?: string | undefined;
  readonly "serving-processes": string;
  readonly "keys-in-path"?: boolean | undefined;
  readonly "public-docs"?: boolean | undefined;
  readonly "bitcoin-blocks"?: string | undefined;
  readonly "bitcoin-network"?: string | undefined;
  readonly "bitcoin-rpc"?: readonly string[] | undefined;
  readonly "bitcoin-cookie"?: readonly string[] | undefined;
  readonly "bitcoin-zmq"?: string | undefined;
  readonly "address-search"?: boolean | undefined;
  readonly "blocks-in-place"?: boolean | undefined;
  readonly "block-templates"?: boolean | undefined;
  readonly "hedge-reads"?: boolean | undefined;
  readonly "node-connections"?: string | undefined;
  readonly "node-failures"?: string | undefined;
  readonly "node-lag"?: string | undefined;
  readonly "node-cooldown"?: string | undefined;
  readonly "no-block-filters"?: boolean | undefined;
  readonly "coin-statistics"?: boolean | undefined;
  readonly "reported-version": string;
  readonly "reported-protocol-version": string;
  readonly "ethereum-rpc"?: readonly string[] | undefined;
  readonly "ethereum-batch-limit"?: string | undefined;
  readonly "ethereum-cache"?: string | undefined;
  readonly "ethereum-chain-id"?: string | undefined;
  readonly "ethereum-protocol-version"?: string | undefined;
}

/** Environment variables with a node's user and password, which a command line would expose to every user. */
export const credentialVariables = {
  bitcoin: { user: "NODEWRIGHT_BITCOIN_USER", password: "NODEWRIGHT_BITCOIN_PASSWORD" },
  ethereum: { user: "NODEWRIGHT_ETHEREUM_USER", password: "NODEWRIGHT_ETHEREUM_PASSWORD" },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the options, or throws a `StartProblem` that describes the invalid one. */
export function readStartOptions(given: StartArguments, environment: Environment): StartOptions {
  return {
    host: readHost(given.host),
    port: readPort("--port", given.port),
    ...optional("operatorPort", given["operator-port"], (port) => readPort("--operator-port", port)),
    dataDirectory: readText("--data", given.data),
    ...optional("readyFile", given["ready-file"], (path) => readText("--ready-file", path)),
    ...optional("apiKey", given["api-key"], readKey),
    servingProcesses: readServingProcesses(given["serving-processes"]),
    keysInPath: given["keys-in-path"] === true,
    publicDocs: given["public-docs"] === true,
    bitcoin: readBitcoinOrigin(given, environment),
    bitcoinSwitches: {
      addressSearch: given["address-search"] === true,
      blocksInPlace: given["blocks-in-place"] === true,
      blockTemplates: given["block-templates"] === true,
      blockFilters: given["no-block-filters"] !== true,
      coinStatistics: given["coin-statistics"] === true,
    },
    identity: {
      version: readFigure("--reported-version", 0)(given["reported-version"]),
      protocolVersion: readFigure("--reported-protocol-version", 0)(given["reported-protocol-version"]),
    },
    ethereum: readEthereumOrigin(given, environment),
  };
}

function readBitcoinOrigin(given: StartArguments, environment: Environment): BitcoinOrigin {
  const { "bitcoin-blocks": blocks, "bitcoin-rpc": rpc, "bitcoin-cookie": cookie } = given;
  const network = given["bitcoin-network"];
  if (given["blocks-in-place"] === true && blocks === undefined) {
    throw new StartProblem("--blocks-in-place needs --bitcoin-blocks, the directory of the block files.");
  }
  if (network !== undefined && blocks === undefined && rpc === undefined) {
    throw new StartProblem("--bitcoin-network needs --bitcoin-blocks or --bitcoin-rpc.");
  }
  if (cookie !== undefined && rpc === undefined) {
    throw new StartProblem("--bitcoin-cookie needs --bitcoin-rpc, the URL of the node.");
  }
  if (given["bitcoin-zmq"] !== undefined && rpc === undefined) {
    throw new StartProblem("--bitcoin-zmq needs --bitcoin-rpc, the URL of the node.");
  }
  const guardOption = guardOptions.find((name) => given[name] !== undefined);
  if (guardOption !== undefined && rpc === undefined && given["ethereum-rpc"] === undefined) {
    throw new StartProblem(`--${guardOption} needs --bitcoin-rpc or --ethereum-rpc, the URL of a node.`);
  }
  const directory = blocks === undefined ? undefined : readText("--bitcoin-blocks", blocks);
  if (rpc === undefined) {
    if (directory === undefined) return { kind: "demo" };
    return { kind: "blocks", directory, network: readNetwork(network ?? "mainnet") };
  }
  return {
    kind: "node",
    nodes: readBitcoinNodes(rpc, cookie ?? [], environment),
    guard: readGuard(given),
    ...(directory === undefined ? {} : { blocks: directory }),
    ...optional("announcements", given["bitcoin-zmq"], readPublisher),
    ...optional("network", network, readNetwork),
  };
}

/** Reads the nodes. One cookie file is for all of them; several are for one node each, in the same order. */
function readBitcoinNodes(
  urls: readonly string[],
  cookies: readonly string[],
  environment: Environment,
): readonly NodeAddress[] {
  if (cookies.length > 1 && cookies.length !== urls.length) {
    throw new StartProblem(
      "The number of --bitcoin-cookie differs from that of --bitcoin-rpc: give one for all nodes, or one for each in the same order.",
    );
  }
  const nodes = urls.map((url, position) => {
    const cookie = cookies.length > 1 ? cookies[position] : cookies[0];
    return readNodeAddress("--bitcoin-rpc", url, cookie, credentialVariables.bitcoin, environment);
  });
  return withoutRepetition("--bitcoin-rpc", nodes);
}

function withoutRepetition(option: string, nodes: readonly NodeAddress[]): readonly NodeAddress[] {
  if (new Set(nodes.map(({ url }) => url)).size === nodes.length) return nodes;
  throw new StartProblem(`${option} names the same node more than once: give each node once.`);
}

const maximumNumber = 1_000_000;

function readFigure(option: string, least: number): (text: string) => number {
  return (text) => {
    const figure = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
    if (figure >= least && figure <= maximumNumber) return figure;
    throw new StartProblem(
      `${option} ${JSON.stringify(text)} is not valid: give an integer from ${least} to ${maximumNumber}.`,
    );
  };
}

function readGuard(given: StartArguments): NodeGuard {
  return {
    hedgesReads: given["hedge-reads"] === true,
    ...optional("connections", given["node-connections"], readFigure("--node-connections", 1)),
    ...optional("failures", given["node-failures"], readFigure("--node-failures", 1)),
    ...optional("maximumLag", given["node-lag"], readFigure("--node-lag", 0)),
    ...optional(
      "cooldownMilliseconds",
      given["node-cooldown"],
      (text) => readFigure("--node-cooldown", 1)(text) * 1_000,
    ),
  };
}

const guardOptions = ["hedge-reads", "node-connections", "node-failures", "node-lag", "node-cooldown"] as const;

function readEthereumOrigin(given: StartArguments, environment: Environment): EthereumOrigin {
  const rpc = given["ethereum-rpc"];
  if (rpc === undefined) {
    const option = ethereumOptions.find((name) => given[name] !== undefined);
    if (option === undefined) return { kind: "demo" };
    throw new StartProblem(`--${option} needs --ethereum-rpc, the URL of a node.`);
  }
  const nodes = rpc.map((url) =>
    readNodeAddress("--ethereum-rpc", url, undefined, credentialVariables.ethereum, environment),
  );
  return {
    kind: "node",
    nodes: withoutRepetition("--ethereum-rpc", nodes),
    guard: readGuard(given),
    ...optional("batchLimit", given["ethereum-batch-limit"], readFigure("--ethereum-batch-limit", 1)),
    ...optional("cacheMegabytes", given["ethereum-cache"], readFigure("--ethereum-cache", 0)),
    ...optional("chainId", given["ethereum-chain-id"], readChainId),
    ...optional("protocolVersion", given["ethereum-protocol-version"], readFigure("--ethereum-protocol-version", 0)),
  };
}

const ethereumOptions = [
  "ethereum-batch-limit",
  "ethereum-cache",
  "ethereum-chain-id",
  "ethereum-protocol-version",
] as const;

function readChainId(text: string): string {
  if (/^(?:\d{1,18}|0x[0-9a-f]{1,16})$/i.test(text)) return `0x${BigInt(text).toString(16)}`;
  throw new StartProblem(
    `--ethereum-chain-id ${JSON.stringify(text)} is not a chain ID: give a number, 1 for the main network.`,
  );
}

/** Reads an address. The value of a URL is never repeated: it may contain a password, or a key in its path. */
function readNodeAddress(
  option: string,
  text: string,
  cookie: string | undefined,
  variables: { readonly user: string; readonly password: string },
  environment: Environment,
): NodeAddress {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new StartProblem(`The value of ${option} is not an http or https URL: write it like http://127.0.0.1:8332.`);
  }
  const inUrl = passwordCredentials(decode(option, url.username), decode(option, url.password));
  const inEnvironment = passwordCredentials(environment[variables.user], environment[variables.password]);
  url.username = "";
  url.password = "";
  const inFile: UpstreamCredentials | undefined =
    cookie === undefined ? undefined : { kind: "cookie-file", path: readText("--bitcoin-cookie", cookie) };
  if (inUrl !== undefined && inFile !== undefined) {
    throw new StartProblem(`--bitcoin-cookie and the user in the URL of ${option} contradict each other: give one.`);
  }
  return { url: url.href, credentials: inFile ?? inUrl ?? inEnvironment ?? { kind: "none" } };
}

function passwordCredentials(user: string | undefined, password: string | undefined): UpstreamCredentials | undefined {
  if ((user ?? "") === "" && (password ?? "") === "") return undefined;
  return { kind: "password", user: user ?? "", password: password ?? "" };
}

function decode(option: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StartProblem(
      `The user or the password in the URL of ${option} has a "%" that is not an escape: write it as %25.`,
    );
  }
}

function readPort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new StartProblem(
    `${option} ${JSON.stringify(text)} is not a port: give a number from 0 (any free one) to 65535.`,
  );
}

const maximumServingProcesses = 64;

function readServingProcesses(text: string): number {
  const processes = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (processes >= 1 && processes <= maximumServingProcesses) return processes;
  throw new StartProblem(
    `--serving-processes ${JSON.stringify(text)} is not a number of processes: give one from 1 to ${maximumServingProcesses}.`,
  );
}

function readHost(text: string): string {
  const host = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (/^[0-9A-Za-z.:%_-]+$/.test(host)) return host;
  throw new StartProblem(`--host ${JSON.stringify(text)} is not a host name or address: give one like 127.0.0.1.`);
}

function readNetwork(text: string): NetworkName {
  const network = bitcoinNetworks.find((name) => name === text);
  if (network !== undefined) return network;
  throw new StartProblem(
    `--bitcoin-network ${JSON.stringify(text)} is unknown: give one of ${bitcoinNetworks.join(", ")}.`,
  );
}

function readPublisher(text: string): string {
  if (/^(?:tcp|ipc):\/\/\S+$/.test(text)) return text;
  throw new StartProblem(
    `--bitcoin-zmq ${JSON.stringify(text)} is not a ZMQ address: give the node's zmqpubhashblock, such as tcp://127.0.0.1:28332.`,
  );
}

function readKey(text: string): string {
  const problem = problemOfKey(text);
  if (problem === undefined) return text;
  throw new StartProblem(`The value of --api-key is invalid: ${problem}.`);
}

function readText(option: string, text: string): string {
  if (text !== "" && !text.includes("\0")) return text;
  throw new StartProblem(`${option} needs a value.`);
}

/** Returns a member that is present only if it was given. */
function optional<Name extends string, Value>(
  name: Name,
  given: string | undefined,
  read: (text: string) => Value,
): { readonly [Member in Name]?: Value } {
  return given === undefined ? {} : ({ [name]: read(given) } as { readonly [Member in Name]: Value });
}
