import { reportFormats } from "../report/report-format.ts";
import { type ConformOption, type ConformProgram, optionGroups } from "./conform-option.ts";
import { optionsOf } from "./read-words.ts";
import { wrapText } from "../basics/wrap-text.ts";

/** What `--help` prints, in lines of at most `width` columns. */
export function renderHelp(program: ConformProgram, width: number): string {
  const options = [...optionsOf(program).values()];
  const labelWidth = Math.max(...options.map((option) => labelOf(option).length)) + 2;
  return [
    ...usage(program),
    "",
    ...wrapText(
      "Holds a deployed API against its document: asks it what the document offers, and tells each answer that breaks the document or its protocol. What may change something at the target is not sent.",
      width,
    ),
    ...optionGroups.flatMap((group) => [
      "",
      `${group}:`,
      ...options
        .filter((option) => option.group === group)
        .flatMap((option) => entry(labelOf(option), describe(option), labelWidth, width)),
    ]),
    "",
    "Reports:",
    ...reportFormats.flatMap(({ name, description }) => entry(`  ${name}`, description, 14, width)),
    "",
    "Exit codes:",
    "  0  it conforms, but for what the baseline knows",
    "  1  it does not, or the baseline is stale",
    "  2  the command line or the document is not right",
    "  3  nothing can be said: the target was not to be reached, too busy, went away, or the run was ended",
    "",
    "Examples:",
    ...examples(program),
    "",
  ].join("\n");
}

function usage(program: ConformProgram): readonly string[] {
  const source = program === "conformance" ? "--api PACKAGE" : "(--spec FILE | --api PACKAGE)";
  return [
    `${program} URL ${source} [options]`,
    `${program} replay CASE --report REPORT.json ${source}   plays a case of a report again, as it was played`,
    `${program} rules                                  lists all rules with their ids, levels and sources`,
  ];
}

function examples(program: ConformProgram): readonly string[] {
  if (program === "conformance")
    return [
      "  conformance http://127.0.0.1:8332 --api @nodewright/bitcoin-api --only 'getblock*'",
      "  conformance https://node.example/{key} --api @nodewright/bitcoin-api --report junit=conform.xml",
    ];
  return [
    "  nodewright conform https://api.example/v1 --spec openapi.yaml",
    "  nodewright conform https://node.example/{key} --spec openrpc.json --baseline known.yaml --report html=conform.html",
    "  nodewright conform https://node.example/graphql --spec schema.graphql --operations queries.graphql --plan",
  ];
}

function labelOf({ name, short, value }: ConformOption): string {
  return `  ${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

function describe({ description, choices, default: usual }: ConformOption): string {
  const said = choices === undefined ? description : `${description}: ${choices.join(", ")}`;
  return usual === undefined ? said : `${said} [${usual}]`;
}

function entry(label: string, description: string, labelWidth: number, width: number): readonly string[] {
  const indent = Math.min(labelWidth, 30);
  const [first = "", ...rest] = wrapText(description, Math.max(30, width - indent));
  const following = rest.map((line) => " ".repeat(indent) + line);
  return label.length < indent
    ? [label.padEnd(indent) + first, ...following]
    : [label, " ".repeat(indent) + first, ...following];
}
