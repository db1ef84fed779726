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
  spec: "<FILE> The document that the target is checked against: OpenAPI, OpenRPC or GraphQL SDL",
  operations: "<FILE...> GraphQL operations that are played next to those made from the schema; needs --spec",
  allowRef: "<DIR...> References of the document may lead into this folder too; needs --spec",
  api: "<PACKAGE> A generated package, found from the working directory, whose ./conformance is played",
  key: "<KEY> API key, sent as described in the document, or in place of {key} in the URL. Better from NODEWRIGHT_API_KEY or a file: process lists show arguments",
  keyFile: "<FILE> Reads the key from a file; - is the standard input",
  header:
    "<'NAME: VALUE'...> A header of each request, as secret as the key; 'NAME: $VARIABLE' takes its value from the environment",
  basic: "<USER:PASSWORD> HTTP's basic authentication; also from NODEWRIGHT_BASIC",
  only: "<PATTERN...> Plays these operations or cases alone: names, 'GET /path', tags or ids of cases; * is any text",
  skip: "<PATTERN...> Leaves these out",
  safe: "<PATTERN...> Operations that only read, whatever their names say",
  unsafe:
    "<PATTERN...> Operations that are not sent, whatever their names say; counts before --safe and --allow-writes",
  allowWrites: "Plays operations that change something too",
  plan: "Lists what a run would send and what not, and sends nothing",
  examples:
    "<HOW> Whether documented values have to be what is served: those of objects that never change, all that are not marked live, or none",
  mayBeMissing: "<PATTERN...> Operations that the target need not offer",
  enabled: "<PATTERN...> Operations that are switched on for the key though they are off by default",
  seed: "<HEX> Of all random choices; a report names its own. Filters change nothing of what a case sends",
  rate: "<NUMBER> Requests in a second at most (default: 200)",
  concurrency: "<NUMBER> Requests at once (default: 4)",
  timeout: "<TIME> Until a response is complete (default: 10s)",
  maxTime: "<TIME> For the complete run, such as 90s or 10m; cases played by then are reported",
  maxRequests: "<NUMBER> For the complete run",
  maxCalls: "<NUMBER> Of one operation (default: 30 to 60, by the number of operations)",
  against: "<URL> A second target: the responses of both are compared, case by case",
  mayDiffer:
    "<FILE> What may be otherwise at the second target, in YAML: operations and places, each with its reason; needs --against",
  across:
    "<DOCUMENT=URL> Another interface of the same node, with its document: what both have has to be the same. Known of REST and JSON-RPC of a Bitcoin node, of GraphQL and JSON-RPC of an Ethereum node, and of two GraphQL schemas with the same fields",
  every: "<TIME> Plays again and again, in this distance, until it is ended",
  baseline:
    "<FILE> Known failures, in YAML, each with its reason. Others fail, and so does one that is listed and no longer there",
  updateBaseline:
    "Writes what fails now into the baseline; reasons and comments of what stays are kept; needs --baseline",
  profile: "<NAME> What a client is known not to offer: one of the profiles that come along, or a file",
  failOn: "<LEVEL> The lowest level of a rule that fails a run when it is broken",
  strict: "A broken SHOULD or heuristic fails a run too, a MAY never does",
  report:
    "<FORMAT[=FILE]...> One of {formats}; may be given several times; without a file on the standard output (default: terminal)",
  json: "The same as --report json",
  prometheus: "<FILE> The same as --report prometheus=FILE, for the node exporter's textfile collector",
  verbose: "Shows each failure in full, warnings and what was skipped too",
  quiet: "Prints nothing while it runs, and no report for people when all is well",
} as const;

/** Groups of the help, by their first options. */
const groups: Readonly<Record<string, string>> = {
  spec: "Document:",
  key: "Access:",
  only: "What is played:",
  seed: "How it is played:",
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
      "Checks a deployed API against its document: calls what the document offers, and reports each response that breaks the document or its protocol. What may change something at the target is not sent.",
    )
    .argument("[words...]")
    .configureHelp({ visibleArguments: () => [] })
    .showSuggestionAfterError()
    .exitOverride()
    .helpOption("-h, --help", "Shows this")
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
      plays a case of a report again, with the same input
  ${program} rules [--json]
      lists all rules with their ids, levels and sources

Forms of a report:
${reportFormats.map(({ name, description }) => `  ${name.padEnd(12)}${description}`).join("\n")}

Exit codes:
  0  it conforms, but for what the baseline knows
  1  it does not, or the baseline is stale
  2  the command line or the document is not right
  3  nothing can be said: the target was not to be reached, too busy, went away, or the run was ended

Examples:
${examples.map((one) => `  ${one}`).join("\n")}`;
}
