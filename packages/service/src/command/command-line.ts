import yargs, { type Argv } from "yargs";
import type { AccessRequest } from "./change-access.ts";
import {
  bitcoinNetworks,
  credentialVariables,
  readStartOptions,
  type StartOptions,
} from "../configuration/start-options.ts";
import { StartProblem } from "../configuration/start-problem.ts";
import type { VerifyRequest } from "./verify-indexes.ts";

export interface CommandLine {
  /** Requested start; absent when help or the version has been printed. */
  readonly start?: StartOptions;
  readonly access?: AccessRequest;
  readonly verify?: VerifyRequest;
}

/** Options for the operator's own chain. */
const ownChainOptions = [
  "bitcoin-blocks",
  "bitcoin-network",
  "bitcoin-rpc",
  "bitcoin-cookie",
  "bitcoin-zmq",
  "blocks-in-place",
  "address-search",
  "block-templates",
  "no-block-filters",
  "coin-statistics",
  "hedge-reads",
  "node-lag",
  "node-connections",
  "node-failures",
  "node-cooldown",
  "reported-version",
  "reported-protocol-version",
  "ethereum-rpc",
  "ethereum-chain-id",
  "ethereum-batch-limit",
  "ethereum-cache",
  "ethereum-protocol-version",
] as const;

/** Option names of each command, for suggestions after a misspelled one. */
const optionNames = {
  start: [
    "host",
    "port",
    "operator-port",
    "data",
    "ready-file",
    "api-key",
    "serving-processes",
    "keys-in-path",
    "public-docs",
    ...ownChainOptions,
    "help",
    "version",
  ],
  access: ["data", "node", "subscription", "enable", "disable", "reason", "json", "help"],
  verify: ["data", "node", "scratch", "json", "help"],
} as const;

/** Parses the command line after the program's name. Throws `StartProblem` when it is invalid. */
export async function readCommandLine(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
): Promise<CommandLine> {
  let commandLine: CommandLine = {};
  await yargs([...words])
    .scriptName("nodewright-service")
    .usage("$0 <command>\n\nServes blockchain nodes: index REST and JSON-RPC for Bitcoin, GraphQL for Ethereum.")
    .parserConfiguration({
      "camel-case-expansion": false,
      "boolean-negation": false,
      "dot-notation": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "short-option-groups": false,
      "greedy-arrays": false,
    })
    .command("start", "Start the service, with demo nodes or with your own nodes", describeStart, (given) => {
      for (const [name, value] of Object.entries(given)) refuseRepetition(name, value);
      commandLine = { start: readStartOptions(given, environment) };
    })
    .command("access", "List or change the JSON-RPC methods that subscriptions may call", describeAccess, (given) => {
      for (const [name, value] of Object.entries(given)) refuseRepetition(name, value);
      commandLine = { access: readAccessRequest(given) };
    })
    .command(
      "verify",
      "Check the complete indexes of Bitcoin nodes, also while the service runs",
      describeVerify,
      (given) => {
        for (const [name, value] of Object.entries(given)) refuseRepetition(name, value);
        commandLine = { verify: readVerifyRequest(given) };
      },
    )
    .demandCommand(1, "The command is missing: nodewright-service start, or nodewright-service --help.")
    .strict()
    .recommendCommands()
    .version(version)
    .help()
    .alias("help", "h")
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof StartProblem
        ? error
        : new StartProblem(explainRefusal(message ?? error.message, words[0]));
    })
    .parseAsync();
  return commandLine;
}

function describeAccess(command: Argv) {
  return command
    .usage(
      "$0 access [options]\n\nLists the methods that are disabled by default, for each subscription of a Bitcoin node, or enables or disables some of them. A running service applies a change from the next request on.",
    )
    .option("data", { ...text, default: "data", describe: "Directory that the service was started with" })
    .option("node", { ...text, describe: "Only subscriptions of this node" })
    .option("subscription", { ...text, describe: "Only this subscription" })
    .option("enable", { ...text, describe: "Methods to enable, separated by commas" })
    .option("disable", { ...text, describe: "Methods to disable, separated by commas" })
    .conflicts("enable", "disable")
    .option("reason", { ...text, describe: "Reason of the change, stored with it" })
    .option("json", { type: "boolean", default: false, describe: "Print JSON" })
    .example("$0 access --enable gettxout,getmempoolinfo", "for every subscription of every Bitcoin node");
}

/** Reads the options of `access`. Throws `StartProblem`. */
function readAccessRequest(given: Awaited<ReturnType<typeof describeAccess>["argv"]>): AccessRequest {
  const state = given.enable === undefined ? "off" : "on";
  const names = given.enable ?? given.disable;
  const methods = names?.split(",").flatMap((name) => name.trim() || []);
  if (methods?.length === 0)
    throw new StartProblem(`--${state === "on" ? "enable" : "disable"} needs at least one method.`);
  if (methods === undefined && given.reason !== undefined) {
    throw new StartProblem("--reason needs --enable or --disable.");
  }
  return {
    dataDirectory: given.data,
    ...(given.node === undefined ? {} : { nodeId: given.node }),
    ...(given.subscription === undefined ? {} : { subscriptionId: given.subscription }),
    ...(methods === undefined
      ? {}
      : { change: { state, methods, ...(given.reason === undefined ? {} : { reason: given.reason }) } }),
    json: given.json,
  };
}

function describeVerify(command: Argv) {
  return command
    .usage(
      "$0 verify [options]\n\nChecks the complete index of each Bitcoin node: the pages of its tables, every block of its files, and every row, also of its optional indexes, against the rows that the blocks produce. Runs alongside a service, at the lowest priority.",
    )
    .option("data", { ...text, default: "data", describe: "Directory that the service was started with" })
    .option("node", { ...text, describe: "Only the index of this node" })
    .option("scratch", {
      ...text,
      describe: "Directory for temporary files as large as the tables (default: the directory of each index)",
    })
    .option("json", { type: "boolean", default: false, describe: "Print JSON" })
    .epilogue(
      "Exit codes: 0 valid, 1 damaged, 3 could not be checked. The mempool is not checked: it is rebuilt at each start.",
    );
}

function readVerifyRequest(given: Awaited<ReturnType<typeof describeVerify>["argv"]>): VerifyRequest {
  return {
    dataDirectory: given.data,
    ...(given.node === undefined ? {} : { nodeId: given.node }),
    ...(given.scratch === undefined ? {} : { scratchDirectory: given.scratch }),
    json: given.json,
  };
}

function describeStart(command: Argv) {
  return command
    .usage(
      "$0 start [options]\n\nServes until Ctrl-C. Prints the endpoints, a valid key, and an example command for each interface.",
    )
    .option("host", { ...text, default: "127.0.0.1", describe: "Address to listen on" })
    .option("port", { ...text, default: "8645", describe: "Port to listen on; 0 picks a free one" })
    .option("operator-port", {
      ...text,
      describe:
        "Port on 127.0.0.1 for GraphiQL (/docs), /health, /readyz and /metrics, without a key; 0 picks a free one",
    })
    .option("data", { ...text, default: "data", describe: "Directory for the index, the registry and the demo key" })
    .option("ready-file", {
      ...text,
      describe: "Write endpoints and keys to this file as JSON when every interface is served",
    })
    .option("api-key", { ...text, describe: "Key for all nodes, instead of the one in the data directory" })
    .option("serving-processes", {
      ...text,
      default: "1",
      describe: "Number of processes that share the port; more than one per processor core gains nothing",
    })
    .option("keys-in-path", {
      type: "boolean",
      describe: "Accept the key also in the path, /<node>/key/<key>/; proxies may log it",
    })
    .option("public-docs", {
      type: "boolean",
      describe: "Serve GraphiQL also at /docs of the public port, without a key; queries still need one",
    })
    .option("bitcoin-blocks", {
      ...text,
      describe:
        "Serve the chain in the block files (blk*.dat) of this directory; with --bitcoin-rpc, read blocks from these files and only the others from the node",
    })
    .option("bitcoin-network", {
      ...text,
      describe: `Network of your Bitcoin chain: ${bitcoinNetworks.join(", ")} (default: mainnet for block files, otherwise the network that the node reports)`,
    })
    .option("bitcoin-rpc", {
      ...texts,
      describe:
        "JSON-RPC URL of the Bitcoin node whose chain is served; repeat it for several nodes with failover, all btcd or all Bitcoin Core (the first one identifies the index)",
    })
    .option("bitcoin-cookie", {
      ...texts,
      describe:
        "Cookie file (.cookie) with the user and password of the node; with several nodes, one for all or one for each",
    })
    .option("bitcoin-zmq", {
      ...text,
      describe: "ZMQ address at which the node publishes new blocks (zmqpubhashblock); needs the npm package zeromq",
    })
    .option("blocks-in-place", {
      type: "boolean",
      describe: "Read blocks from the node's files instead of copying them; the files must not be deleted",
    })
    .option("address-search", {
      type: "boolean",
      describe: "Index addresses for searches by prefix (address-prefix); can only be set when the index is created",
    })
    .option("block-templates", {
      type: "boolean",
      describe: "Enable getblocktemplate, which is forwarded to the Bitcoin node",
    })
    .option("no-block-filters", {
      type: "boolean",
      describe: "Do not index compact block filters (BIP 158); disables getblockfilter",
    })
    .option("coin-statistics", {
      type: "boolean",
      describe: "Index statistics of all unspent outputs, for gettxoutsetinfo at any block",
    })
    .option("reported-version", {
      ...text,
      default: "310000",
      describe: "Version in getinfo if no node reports one; default: the supported version of Bitcoin Core",
    })
    .option("reported-protocol-version", {
      ...text,
      default: "70016",
      describe: "Peer protocol version in getinfo if no node reports one",
    })
    .option("hedge-reads", {
      type: "boolean",
      describe:
        "Send a read-only request to a second node when the first one takes longer than the method's 95th percentile",
    })
    .option("node-lag", { ...text, describe: "Exclude nodes that lag more than this number of blocks (2)" })
    .option("node-connections", {
      ...text,
      describe: "Maximum concurrent connections to a node (16); reduced automatically if it refuses some",
    })
    .option("node-failures", {
      ...text,
      describe: "Consecutive failures of a node after which its circuit breaker opens (5)",
    })
    .option("node-cooldown", {
      ...text,
      describe: "Cooldown of an open circuit breaker in seconds, doubled after each further failure (1)",
    })
    .option("ethereum-rpc", {
      ...texts,
      describe:
        "JSON-RPC URL of the Ethereum node whose chain is served; repeat it for several nodes with failover, of any software",
    })
    .option("ethereum-chain-id", {
      ...text,
      describe: "Exclude nodes with another chain ID (default: that of the first node)",
    })
    .option("ethereum-batch-limit", {
      ...text,
      describe:
        "Maximum calls in one batch request to an Ethereum node (100); reduced automatically if it accepts fewer",
    })
    .option("ethereum-cache", {
      ...text,
      describe: "Size of the cache of Ethereum blocks, receipts and states in megabytes (134); 0 disables it",
    })
    .option("ethereum-protocol-version", {
      ...text,
      describe: "protocolVersion if the Ethereum node reports none (68)",
    })
    .group(ownChainOptions, "Your own chain:")
    .example("$0 start --port 0 --ready-file ready.json", "any free port, written to ready.json")
    .example("$0 start --bitcoin-rpc http://127.0.0.1:8332 --bitcoin-cookie ~/.bitcoin/.cookie", "your own node")
    .epilogue(
      [
        "Nodes: bitcoin-mainnet (demo: mainnet's blocks 0 to 14131) and ethereum-dev (demo: a short chain in anvil).",
        "Your own Bitcoin chain is bitcoin-<network>, your own Ethereum chain is ethereum.",
        "",
        `A node's user and password: ${Object.values(credentialVariables)
          .flatMap((names) => Object.values(names))
          .join(", ")} in the environment, or in the URL. They are never printed.`,
      ].join("\n"),
    );
}

const text = { type: "string", requiresArg: true } as const;
const texts = { ...text, array: true } as const;

/** Options that may be repeated, as there may be several nodes. */
const repeatable: ReadonlySet<string> = new Set(["_", "bitcoin-rpc", "bitcoin-cookie", "ethereum-rpc"]);

function refuseRepetition(name: string, value: unknown): void {
  if (Array.isArray(value) && !repeatable.has(name))
    throw new StartProblem(`--${name} is given more than once: give it once.`);
}

/** Returns the message of yargs, with a suggestion for a misspelled option. */
function explainRefusal(message: string, word: string | undefined): string {
  const command = word === "access" || word === "verify" ? word : "start";
  const incomplete = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (incomplete !== undefined) return `--${incomplete} needs a value after it.`;
  if (message.startsWith("Did you mean")) return `Unknown command: ${message.replace("Did", "did")}`;
  const unknown = /^Unknown arguments?: (.+)$/.exec(message)?.[1]?.split(", ")[0];
  if (unknown === undefined) return /[.?!]$/.test(message) ? message : `${message.replaceAll("\n", " ")}.`;
  const meant = nearestOption(unknown, command);
  const wayOut = meant === undefined ? `see nodewright-service ${command} --help` : `did you mean --${meant}?`;
  return `Unknown argument "${unknown}": ${wayOut}${wayOut.endsWith("?") ? "" : "."}`;
}

function nearestOption(word: string, command: keyof typeof optionNames): string | undefined {
  const bare = word.replace(/^-+/, "").replace(/=.*$/s, "");
  const ranked = optionNames[command]
    .map((name) => ({ name, distance: editDistance(bare, name) }))
    .sort((one, other) => one.distance - other.distance);
  const nearest = ranked[0];
  return nearest !== undefined && nearest.distance <= Math.max(2, nearest.name.length / 3) ? nearest.name : undefined;
}

/** Returns the Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, otherLetter] of [...other].entries()) {
      const replaced = (row[j] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
