import { isRecord } from "@nodewright/api-model";
import { parseJson } from "../basics/parse-json.ts";
import { readText } from "../basics/read-text.ts";
import { reportFormats } from "../report/report-format.ts";
import type { CaseReport, Report } from "../contract/report.ts";
import type { CommandLine } from "./conform-arguments.ts";
import type { OptionValues } from "./conform-options.ts";
import { suggestion, UsageError } from "@nodewright/terminal-text";

/** A case of an earlier run, and the options that replay it. */
export interface Replay {
  readonly recorded: CaseReport;
  readonly report: Report;
  readonly url: string;
  readonly values: OptionValues;
}

/**
 * Parses `replay CASE --report REPORT.json [URL]`: the case is played alone, with the seed of its report, and at its target unless another
 * is named.
 *
 * @throws {UsageError} when there is no such report or case.
 */
export function readReplay({ positionals, values }: CommandLine): Replay {
  const [, id, url, ...further] = positionals;
  if (id === undefined) throw new UsageError("replay needs the id of a case: replay CASE --report REPORT.json.");
  if (further.length > 0) throw new UsageError(`"${further.join(" ")}" follows the URL.`);
  const given = values.report ?? [];
  const files = given.filter((text) => !isFormat(text));
  const [file, ...others] = files;
  if (file === undefined || others.length > 0)
    throw new UsageError("replay needs the report that contains the case: --report REPORT.json.");
  const report = readReport(file);
  const recorded = report.cases.find((one) => one.id === id);
  if (recorded === undefined)
    throw new UsageError(
      `The report ${file} has no case ${id}${suggestion(
        id,
        report.cases.map((one) => one.id),
        Number.POSITIVE_INFINITY,
      )}.`,
    );
  return {
    recorded,
    report,
    url: url ?? report.baseUrl,
    values: { seed: report.seed, ...values, only: [id], report: given.filter(isFormat) },
  };
}

function isFormat(text: string): boolean {
  return reportFormats.some(({ name }) => text === name || text.startsWith(`${name}=`));
}

function readReport(file: string): Report {
  const mistake = `${file} is not a report: it is not JSON. --report json=FILE writes one.`;
  const value = parseJson(readText(file, mistake));
  if (value === undefined) throw new UsageError(mistake);
  if (!isReport(value)) throw new UsageError(`${file} is not a report of format 2: --report json=FILE writes one.`);
  return value;
}

function isReport(value: unknown): value is Report {
  return isRecord(value) && value["format"] === 2 && Array.isArray(value["cases"]) && "seed" in value;
}

/** Returns a sentence with the difference from the earlier run. */
export function compareReplay(recorded: CaseReport, report: Report): string {
  const again = report.cases.find((one) => one.id === recorded.id);
  if (again === undefined) {
    const curl = recorded.curl === undefined ? "" : ` Its last request was: ${recorded.curl}`;
    return `The case ${recorded.id} is not made any more: what it came from is not there.${curl}`;
  }
  const isSame = messagesOf(again) === messagesOf(recorded);
  if (recorded.verdict === "known" && again.verdict === "failed" && isSame)
    return "It failed as in the report, where the baseline knows it.";
  if (again.verdict !== recorded.verdict)
    return `It was ${recorded.verdict} in the report, and is ${again.verdict} now.`;
  return isSame
    ? `It is ${again.verdict} as in the report.`
    : `It is ${again.verdict} as in the report, with another finding.`;
}

function messagesOf({ findings }: CaseReport): string {
  return findings
    .map(({ rule, message }) => `${rule} ${message}`)
    .toSorted()
    .join("\n");
}
