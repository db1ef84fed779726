import { Command, InvalidArgumentError, Option } from "commander";
import { readDuration } from "@nodewright/terminal-text";
import { reportFormats } from "../report/report-format.ts";
import { furtherHelp } from "./further-help.ts";

/** Programs with this command line. */
export type ConformProgram = "nodewright conform" | "conformance";

/** Values of the options, by their names in camel case. */
export interface OptionValues {
  readonly spec?: string;
  readonly operations?: readonly string[];
  readonly allowRef?: readonly string[];
  readonly api?: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly header?: readonly string[];
  readonly basic?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly safe?: readonly string[];
  readonly unsafe?: readonly string[];
  readonly allowWrites?: boolean;
  readonly plan?: boolean;
  readonly examples: "immutable" | "exact" | "types";
  readonly mayBeMissing?: readonly string[];
  readonly enabled?: readonly string[];
  readonly seed?: string;
  readonly rate?: number;
  readonly concurrency?: number;
  /** Milliseconds, like all durations. */
  readonly timeout?: number;
  readonly maxTime?: number;
  readonly maxRequests?: number;
  readonly maxCalls?: number;
  readonly against?: string;
  readonly mayDiffer?: string;
  readonly across?: { readonly document: string; readonly url: string };
  readonly every?: number;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
  readonly profile?: string;
  readonly failOn: "must" | "should";
  readonly strict?: boolean;
  readonly report?: readonly string[];
  readonly json?: boolean;
  readonly prometheus?: string;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}

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

  command.optionsGroup("Document:");
  const ofDocument = [
    text("--spec <FILE>", "The document that the target is checked against: OpenAPI, OpenRPC or GraphQL SDL").conflicts(
      "api",
    ),
    list("--operations <FILE>", "GraphQL operations that are played next to those made from the schema; needs --spec"),
    list("--allow-ref <DIR>", "References of the document may lead into this folder too; needs --spec"),
  ];
  for (const option of ofDocument) command.addOption(isToolkit ? option : option.hideHelp().argParser(ofToolkit));
  add(command, [
    text("--api <PACKAGE>", "A generated package, found from the working directory, whose ./conformance is played"),
  ]);

  command.optionsGroup("Access:");
  add(command, [
    text(
      "--key <KEY>",
      "API key, sent as described in the document, or in place of {key} in the URL. Better from NODEWRIGHT_API_KEY or a file: process lists show arguments",
    ).conflicts("keyFile"),
    text("--key-file <FILE>", "Reads the key from a file; - is the standard input"),
    list(
      "--header <'NAME: VALUE'>",
      "A header of each request, as secret as the key; 'NAME: $VARIABLE' takes its value from the environment",
    ),
    text("--basic <USER:PASSWORD>", "HTTP's basic authentication; also from NODEWRIGHT_BASIC"),
  ]);

  command.optionsGroup("What is played:");
  add(command, [
    list(
      "--only <PATTERN>",
      "Plays these operations or cases alone: names, 'GET /path', tags or ids of cases; * is any text",
    ),
    list("--skip <PATTERN>", "Leaves these out"),
    list("--safe <PATTERN>", "Operations that only read, whatever their names say"),
    list(
      "--unsafe <PATTERN>",
      "Operations that are not sent, whatever their names say; counts before --safe and --allow-writes",
    ),
    new Option("--allow-writes", "Plays operations that change something too"),
    new Option("--plan", "Lists what a run would send and what not, and sends nothing").conflicts([
      "every",
      "updateBaseline",
    ]),
    new Option(
      "--examples <HOW>",
      "Whether documented values have to be what is served: those of objects that never change, all that are not marked live, or none",
    )
      .choices(["immutable", "exact", "types"])
      .default("immutable"),
    list("--may-be-missing <PATTERN>", "Operations that the target need not offer"),
    list("--enabled <PATTERN>", "Operations that are switched on for the key though they are off by default"),
  ]);

  command.optionsGroup("How it is played:");
  add(command, [
    parsed(
      "--seed <HEX>",
      "Of all random choices; a report names its own. Filters change nothing of what a case sends",
      readSeed,
    ),
    parsed("--rate <NUMBER>", "Requests in a second at most (default: 200)", readNumber),
    parsed("--concurrency <NUMBER>", "Requests at once (default: 4)", readCount),
    parsed("--timeout <TIME>", "Until a response is complete (default: 10s)", readTime),
    parsed(
      "--max-time <TIME>",
      "For the complete run, such as 90s or 10m; cases played by then are reported",
      readTime,
    ),
    parsed("--max-requests <NUMBER>", "For the complete run", readCount),
    parsed("--max-calls <NUMBER>", "Of one operation (default: 30 to 60, by the number of operations)", readCount),
    text("--against <URL>", "A second target: the responses of both are compared, case by case"),
    text(
      "--may-differ <FILE>",
      "What may be otherwise at the second target, in YAML: operations and places, each with its reason; needs --against",
    ),
    parsed(
      "--across <DOCUMENT=URL>",
      "Another interface of the same node, with its document: what both have has to be the same. Known of REST and JSON-RPC of a Bitcoin node, of GraphQL and JSON-RPC of an Ethereum node, and of two GraphQL schemas with the same fields",
      readAcross,
    ),
    parsed("--every <TIME>", "Plays again and again, in this distance, until it is ended", readTime),
  ]);

  command.optionsGroup("Known failures:");
  add(command, [
    text(
      "--baseline <FILE>",
      "Known failures, in YAML, each with its reason. Others fail, and so does one that is listed and no longer there",
    ),
    new Option(
      "--update-baseline",
      "Writes what fails now into the baseline; reasons and comments of what stays are kept; needs --baseline",
    ),
    text("--profile <NAME>", "What a client is known not to offer: one of the profiles that come along, or a file"),
    new Option("--fail-on <LEVEL>", "The lowest level of a rule that fails a run when it is broken")
      .choices(["must", "should"])
      .default("must"),
    new Option("--strict", "A broken SHOULD or heuristic fails a run too, a MAY never does").conflicts("failOn"),
  ]);

  command.optionsGroup("Reports:");
  add(command, [
    list(
      "--report <FORMAT[=FILE]>",
      `One of ${reportFormats.map(({ name }) => name).join(", ")}; may be given several times; without a file on the standard output (default: terminal)`,
    ),
    new Option("--json", "The same as --report json"),
    text("--prometheus <FILE>", "The same as --report prometheus=FILE, for the node exporter's textfile collector"),
    new Option("--verbose", "Shows each failure in full, warnings and what was skipped too").conflicts("quiet"),
    new Option("--quiet", "Prints nothing while it runs, and no report for people when all is well"),
  ]);
  return command;
}

function add(command: Command, options: readonly Option[]): void {
  for (const option of options) command.addOption(option);
}

/** Returns an option that is given once. */
function text(flags: string, description: string): Option {
  return parsed(flags, description, (value) => value);
}

/** Returns an option that may be repeated. */
function list(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, before: readonly string[] = []) => [
    ...before,
    readValue(value),
  ]);
}

function parsed(flags: string, description: string, read: (value: string) => unknown): Option {
  return new Option(flags, description).argParser((value: string, before: unknown) => {
    if (before !== undefined) throw new InvalidArgumentError("The option stands twice: leave one of them out.");
    return read(readValue(value));
  });
}

/** Returns the value of an option. The next word is an option itself when the value was forgotten. */
function readValue(value: string): string {
  if (value === "" || value.startsWith("--")) throw new InvalidArgumentError("The option needs a value.");
  return value;
}

function ofToolkit(): never {
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
