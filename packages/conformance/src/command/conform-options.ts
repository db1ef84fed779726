import { Command, InvalidArgumentError, Option } from "commander";
import { readDuration } from "@nodewright/terminal-text";
import { reportFormats } from "../report/report-format.ts";

/** Programs with this command line. */
export type ConformProgram = "nodewright conform" | "conformance";

/**
 * Options by their names in camel case: the kind of value in angle brackets, where there is one, with dots where the option may be
 * repeated, and the description.
 */
const options = {
  spec: "<FILE> Document of the API: OpenAPI, OpenRPC or GraphQL SDL",
  operations: "<FILE...> GraphQL operations to execute in addition to those derived from the schema; needs --spec",
  allowRef: "<DIR...> Allows references of the document into this folder; needs --spec",
  api: "<PACKAGE> Generated package whose ./conformance is used, resolved from the working directory",
  key: "<KEY> API key, sent as described in the document, or in place of {key} in the URL. Better from NODEWRIGHT_API_KEY or a file: process lists show arguments",
  keyFile: "<FILE> File that contains the key; - for the standard input",
  header:
    "<'NAME: VALUE'...> Header for each request, kept secret like the key; 'NAME: $VARIABLE' takes its value from the environment",
  basic: "<USER:PASSWORD> Credentials for HTTP Basic authentication; also from NODEWRIGHT_BASIC",
  only: "<PATTERN...> Only these operations or cases: names, 'GET /path', tags or ids of cases; * matches any characters",
  skip: "<PATTERN...> Excludes these operations or cases",
  safe: "<PATTERN...> Operations to treat as read-only, regardless of their names",
  unsafe:
    "<PATTERN...> Operations never to call, regardless of their names; takes precedence over --safe and --allow-writes",
  allowWrites: "Calls operations that may change the target, too",
  plan: "Lists what a run would call and what not, without calling anything",
  examples:
    "<HOW> Documented examples whose values must equal the response: those of immutable objects, all that are not marked live, or none (types only)",
  mayBeMissing: "<PATTERN...> Operations that are optional for the target",
  enabled: "<PATTERN...> Operations that are enabled for the key, although they are disabled by default",
  seed: "<HEX> Seed for all random choices, stated in each report; a case sends the same requests with and without filters",
  rate: "<NUMBER> Maximum number of requests per second (default: 200)",
  concurrency: "<NUMBER> Maximum number of concurrent requests (default: 4)",
  timeout: "<TIME> Timeout of a request until its response is complete (default: 10s)",
  maxTime: "<TIME> Maximum duration of the run, such as 90s or 10m; the cases that ended by then are reported",
  maxRequests: "<NUMBER> Maximum number of requests of the run",
  maxCalls: "<NUMBER> Maximum number of calls per operation (default: 30 to 60, by the number of operations)",
  against: "<URL> Second target, whose responses are compared with those of the first",
  mayDiffer:
    "<FILE> YAML file of allowed differences from the second target: operations and places, each with a reason; needs --against",
  across:
    "<DOCUMENT=URL> Another interface of the same node with its document; common data must be equal. Supported: REST and JSON-RPC of a Bitcoin node, GraphQL and JSON-RPC of an Ethereum node, two GraphQL schemas with the same fields",
  every: "<TIME> Repeats the run at this interval until it is stopped",
  baseline:
    "<FILE> YAML file of known failures, each with a reason. Other failures fail the run, and so do listed failures that no longer occur",
  updateBaseline:
    "Writes the current failures into the baseline; reasons and comments of remaining entries are kept; needs --baseline",
  profile: "<NAME> Profile of what a client does not offer: a built-in profile or a file",
  failOn: "<LEVEL> Lowest level of a violated rule that fails the run",
  strict: "Violated SHOULD rules and heuristics fail the run, too; MAY rules never do",
  report:
    "<FORMAT[=FILE]...> One of {formats}; repeatable; written to the standard output without a file (default: terminal)",
  json: "Same as --report json",
  prometheus: "<FILE> Same as --report prometheus=FILE, for the textfile collector of the node exporter",
  verbose: "Shows all details of failures, and warnings and skipped cases",
  quiet: "Prints no progress, and no terminal report if the target conforms",
} as const;

/** Groups of the help, by their first options. */
const groups: Readonly<Record<string, string>> = {
  spec: "Document:",
  key: "Access:",
  only: "Selection:",
  seed: "Execution:",
  baseline: "Known failures:",
  report: "Reports:",
};

type ValueOf<Text> = Text extends `<${string}...> ${string}`
  ? readonly string[]
  : Text extends `<NUMBER> ${string}` | `<TIME> ${string}`
    ? number
    : Text extends `<${string}`
      ? string
      : boolean;
type Values = { readonly [Name in keyof typeof options]?: ValueOf<(typeof options)[Name]> };

/** Values of the options, by their names in camel case. Times are in milliseconds. */
export interface OptionValues extends Omit<Values, "across" | "examples" | "failOn"> {
  readonly across?: { readonly document: string; readonly url: string };
  readonly examples: "immutable" | "exact" | "types";
  readonly failOn: "must" | "should";
}

const ofToolkit: ReadonlySet<string> = new Set(["spec", "operations", "allowRef"]);
/** Options with one of several values, the default first. */
const choices: Readonly<Record<string, readonly string[]>> = {
  examples: ["immutable", "exact", "types"],
  failOn: ["must", "should"],
};
const conflicts: Readonly<Record<string, readonly string[]>> = {
  spec: ["api"],
  key: ["keyFile"],
  plan: ["every", "updateBaseline"],
  strict: ["failOn"],
  verbose: ["quiet"],
};
/** Readers of values that are not any text. */
const readers: Readonly<Record<string, (value: string) => unknown>> = {
  seed: readSeed,
  rate: readNumber,
  concurrency: readCount,
  timeout: readTime,
  maxTime: readTime,
  maxRequests: readCount,
  maxCalls: readCount,
  across: readAcross,
  every: readTime,
};

/** Returns the command line of `program`: its options, with their values, and its help. */
export function createCommand(program: ConformProgram): Command {
  const isToolkit = program === "nodewright conform";
  const source = isToolkit ? "(--spec FILE | --api PACKAGE)" : "--api PACKAGE";
  const command = new Command(program)
    .usage(`URL ${source} [options]`)
    .description(
      "Checks a deployed API against its document: calls its operations, and reports each response that violates the document or the protocol. Operations that may change the target are not called.",
    )
    .argument("[words...]")
    .configureHelp({ visibleArguments: () => [] })
    .showSuggestionAfterError()
    .exitOverride()
    .helpOption("-h, --help", "Shows this help")
    .addHelpText("after", furtherHelp(program, source));
  for (const [name, text] of Object.entries(options)) {
    const group = groups[name];
    if (group !== undefined) command.optionsGroup(group);
    const option = createOption(name, text);
    const isForeign = !isToolkit && ofToolkit.has(name);
    command.addOption(isForeign ? option.hideHelp().argParser(refuseOfToolkit) : option);
  }
  return command;
}

/** Returns the flag of an option: `may-differ` for `mayDiffer`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function createOption(name: string, text: string): Option {
  const [, value = "", dots, close = "", description = ""] = /^(?:(<.*?)(\.\.\.)?(>) )?(.*)$/.exec(text) ?? [];
  const formats = reportFormats.map((format) => format.name).join(", ");
  const option = new Option(`--${flagOf(name)} ${value}${close}`.trim(), description.replace("{formats}", formats));
  option.conflicts([...(conflicts[name] ?? [])]);
  const allowed = choices[name];
  if (allowed !== undefined) return option.choices(allowed).default(allowed[0]);
  if (value === "") return option;
  if (dots !== undefined)
    return option.argParser((given: string, before: readonly string[] = []) => [...before, readValue(given)]);
  return option.argParser((given: string, before: unknown) => {
    if (before !== undefined) throw new InvalidArgumentError("The option stands twice: leave one of them out.");
    const known = readValue(given);
    return readers[name]?.(known) ?? known;
  });
}

/** Returns the value of an option. The next word is an option itself when the value was forgotten. */
function readValue(value: string): string {
  if (value === "" || value.startsWith("--")) throw new InvalidArgumentError("The option needs a value.");
  return value;
}

function refuseOfToolkit(): never {
  throw new InvalidArgumentError(
    "It is an option of nodewright conform; conformance plays suites of generated packages, --api PACKAGE.",
  );
}

function readSeed(value: string): string {
  if (!/^[0-9a-f]{1,64}$/i.test(value))
    throw new InvalidArgumentError("It is 1 to 64 hexadecimal digits, as a report names it.");
  return value.toLowerCase();
}

function readNumber(value: string): number {
  const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : 0;
  if (number > 0 && Number.isFinite(number)) return number;
  throw new InvalidArgumentError("It is a number above 0.");
}

function readCount(value: string): number {
  const count = /^\d+$/.test(value) ? Number(value) : 0;
  if (count > 0 && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError("It is an integer of at least 1.");
}

function readTime(value: string): number {
  const milliseconds = readDuration(value);
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError("It is a time such as 500ms, 30s, 10m or 1h30m, above 0 and below 25 days.");
}

function readAcross(value: string): OptionValues["across"] {
  const [, document, url] = /^(.+?)=(https?:.*)$/.exec(value) ?? [];
  if (document !== undefined && url !== undefined) return { document, url };
  throw new InvalidArgumentError("It is a document and its address, as openrpc.yaml=http://127.0.0.1:8332.");
}
/** Returns the help below the options. `source`: the options that name a suite. */

function furtherHelp(program: ConformProgram, source: string): string {
  const examples =
    program === "conformance"
      ? [
          "conformance http://127.0.0.1:8332 --api @nodewright/bitcoin-api --only 'getblock*'",
          "conformance https://node.example/{key} --api @nodewright/bitcoin-api --report junit=conform.xml",
        ]
      : [
          "nodewright conform https://api.example/v1 --spec openapi.yaml",
          "nodewright conform https://node.example/{key} --spec openrpc.json --baseline known.yaml --report html=conform.html",
          "nodewright conform https://node.example/graphql --spec schema.graphql --operations queries.graphql --plan",
        ];
  return `
Further commands:
  ${program} replay CASE --report REPORT.json ${source}
      repeats a case of a report with the same input
  ${program} rules [--json]
      lists all rules with id, level and source

Report formats:
${reportFormats.map(({ name, description }) => `  ${name.padEnd(12)}${description}`).join("\n")}

Exit codes:
  0  the target conforms, except for known failures
  1  it does not conform, or the baseline is outdated
  2  the command line or the document is invalid
  3  the run is inconclusive: the target was unreachable, too busy or disappeared, or the run was stopped

Examples:
${examples.map((one) => `  ${one}`).join("\n")}`;
}
