import { reportFormats } from "../report/report-format.ts";
import type { ConformProgram } from "./conform-options.ts";

/** Returns the help below the options. `source`: the options that name a suite. */
export function furtherHelp(program: ConformProgram, source: string): string {
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
