import yargs, { type Argv } from "yargs";
import { bitcoinNetworks, credentialVariables, readStartOptions, type StartOptions } from "./start-options.ts";
import { StartProblem } from "./start-problem.ts";

export interface CommandLine {
  /** What was asked for; help and the version have been printed when this is `undefined`. */
  readonly start: StartOptions | undefined;
}

const startOptionNames = [
  "host",
  "port",
  "operator-port",
  "data",
  "ready-file",
  "api-key",
  "serving-processes",
  "keys-in-path",
  "bitcoin-blocks",
  "bitcoin-network",
  "bitcoin-rpc",
  "bitcoin-cookie",
  "bitcoin-zmq",
  "blocks-in-place",
  "address-search",
  "block-templates",
  "ethereum-rpc",
  "help",
  "version",
] as const;

/** Reads the words of the command line behind the program's name. Throws `StartProblem` when they make no sense. */
export async function readCommandLine(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
): Promise<CommandLine> {
  let start: StartOptions | undefined;
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
    })
    .command("start", "Serve until Ctrl-C: the demo's nodes, or yours in their place", describeStart, (given) => {
      for (const [name, value] of Object.entries(given)) refuseRepetition(name, value);
      start = readStartOptions(given, environment);
    })
    .demandCommand(1, "Say what to do: nodewright-service start, or nodewright-service --help.")
    .strict()
    .recommendCommands()
    .version(version)
    .help()
    .alias("help", "h")
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof StartProblem ? error : new StartProblem(explainRefusal(message ?? error.message));
    })
    .parseAsync();
  return { start };
}

function describeStart(command: Argv) {
  return command
    .usage(
      "$0 start [options]\n\nServes until Ctrl-C. Prints the endpoints, a working key and a line to try each interface with.",
    )
    .option("host", { ...text, default: "127.0.0.1", describe: "Address to listen on" })
    .option("port", { ...text, default: "8645", describe: "Port to listen on; 0 picks a free one" })
    .option("operator-port", {
      ...text,
      describe: "Port on 127.0.0.1 for /health, /readyz and /metrics, without a key; 0 picks a free one",
    })
    .option("data", { ...text, default: "data", describe: "Directory for the index, the registry and the demo key" })
    .option("ready-file", { ...text, describe: "Write endpoints and keys there as JSON when every interface answers" })
    .option("api-key", { ...text, describe: "Key for all nodes, in place of the one kept in the data directory" })
    .option("serving-processes", {
      ...text,
      default: "1",
      describe: "Processes that answer requests, on one port; each takes a processor's work off the others",
    })
    .option("keys-in-path", {
      type: "boolean",
      describe: "Take the key in the path as well, /<node>/key/<key>/; logs of proxies on the way would show it",
    })
    .option("bitcoin-blocks", {
      ...text,
      describe: "Serve the chain in a node's block files (blk*.dat); with --bitcoin-rpc, what they have is read there",
    })
    .option("bitcoin-network", {
      ...text,
      describe: `Network of your Bitcoin chain: ${bitcoinNetworks.join(", ")} (block files: mainnet unless given; a node is asked)`,
    })
    .option("bitcoin-rpc", { ...text, describe: "Serve the chain of a Bitcoin node, by the URL of its JSON-RPC" })
    .option("bitcoin-cookie", { ...text, describe: "File with the user and password of that node (.cookie)" })
    .option("bitcoin-zmq", {
      ...text,
      describe: "Address at which that node publishes new blocks (zmqpubhashblock); needs the npm package zeromq",
    })
    .option("blocks-in-place", {
      type: "boolean",
      describe: "Read blocks where the node keeps them, and keep no copy: the files must stay",
    })
    .option("address-search", {
      type: "boolean",
      describe: "Keep addresses in the Bitcoin index, for address-prefix; decided when the index is made",
    })
    .option("block-templates", { type: "boolean", describe: "Let the Bitcoin node's block templates be read" })
    .option("ethereum-rpc", { ...text, describe: "Serve the chain of an Ethereum node, by the URL of its JSON-RPC" })
    .group(
      [
        "bitcoin-blocks",
        "bitcoin-network",
        "bitcoin-rpc",
        "bitcoin-cookie",
        "bitcoin-zmq",
        "blocks-in-place",
        "address-search",
        "block-templates",
        "ethereum-rpc",
      ],
      "A chain of your own:",
    )
    .example("$0 start --port 0 --ready-file ready.json", "any free port, written to ready.json")
    .example("$0 start --bitcoin-rpc http://127.0.0.1:8332 --bitcoin-cookie ~/.bitcoin/.cookie", "your own node")
    .epilogue(
      [
        "Nodes: bitcoin-mainnet (demo: mainnet's blocks 0 to 14131) and ethereum-dev (demo: a short chain in anvil).",
        "A Bitcoin chain of your own is bitcoin-<network>, an Ethereum chain of your own is ethereum.",
        "",
        `A node's user and password: ${Object.values(credentialVariables)
          .flatMap((names) => Object.values(names))
          .join(", ")} in the environment, or in the URL. They are never shown.`,
      ].join("\n"),
    );
}

const text = { type: "string", requiresArg: true } as const;

function refuseRepetition(name: string, value: unknown): void {
  if (Array.isArray(value) && name !== "_") throw new StartProblem(`--${name} is given more than once: give it once.`);
}

/** yargs' own words, with the option that was probably meant. */
function explainRefusal(message: string): string {
  const incomplete = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (incomplete !== undefined) return `--${incomplete} needs a value after it.`;
  if (message.startsWith("Did you mean")) return `Unknown command: ${message.replace("Did", "did")}`;
  const unknown = /^Unknown arguments?: (.+)$/.exec(message)?.[1]?.split(", ")[0];
  if (unknown === undefined) return /[.?!]$/.test(message) ? message : `${message.replaceAll("\n", " ")}.`;
  const meant = nearestOption(unknown);
  const wayOut = meant === undefined ? "see nodewright-service start --help" : `did you mean --${meant}?`;
  return `Unknown argument "${unknown}": ${wayOut}${wayOut.endsWith("?") ? "" : "."}`;
}

function nearestOption(word: string): string | undefined {
  const bare = word.replace(/^-+/, "").replace(/=.*$/s, "");
  const ranked = startOptionNames
    .map((name) => ({ name, distance: editDistance(bare, name) }))
    .sort((one, other) => one.distance - other.distance);
  const nearest = ranked[0];
  return nearest !== undefined && nearest.distance <= Math.max(2, nearest.name.length / 3) ? nearest.name : undefined;
}

/** Levenshtein distance. */
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
