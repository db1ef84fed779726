import { protocolOperation } from "../contract/planned-case.ts";
import type { OperationReport, Report } from "../contract/report.ts";

/** Renders the offered operations of a target as JSON. */
export function renderMethodsJson(report: Report): string {
  const { suite, baseUrl, target, startedAt } = report;
  const operations = methodsOf(report);
  const table = {
    format: 1,
    suite,
    baseUrl,
    target,
    startedAt,
    operations: operations.map((one) => ({
      operation: one.operation,
      origin: one.origin,
      availability: one.availability,
      reason: one.availabilityReason,
      calls: one.calls,
      p50Milliseconds: one.latency?.p50,
    })),
  };
  return `${JSON.stringify(table, undefined, 2)}\n`;
}

/** Renders the offered operations of a target as a table in GitHub's Markdown. */
export function renderMethodsMarkdown(report: Report): string {
  const { suite, baseUrl, target, startedAt } = report;
  const operations = methodsOf(report);
  const counts = [...Map.groupBy(operations, ({ availability }) => availability)].map(
    ([availability, own]) => `${own.length} ${availability}`,
  );
  const facts = [target.client, target.chain, target.height === undefined ? undefined : `height ${target.height}`]
    .filter((fact) => fact !== undefined)
    .map(markdownText);
  return [
    `# ${markdownText(`${suite.title} ${suite.version}`)}`,
    "",
    [markdownText(baseUrl), ...facts, startedAt.slice(0, 10)].join(", "),
    "",
    `${counts.join(", ")}.`,
    "",
    "| operation | availability | reason | calls | p50 |",
    "|---|---|---|---:|---:|",
    ...operations.map(row),
    "",
  ].join("\n");
}

/** Returns the operations without the rules of the protocol, which are not a method. */
function methodsOf({ operations }: Report): readonly OperationReport[] {
  return operations.filter(({ operation }) => operation !== protocolOperation);
}

function row({ origin, availability, availabilityReason, calls, latency }: OperationReport): string {
  const median = latency === undefined ? "" : `${Math.round(latency.p50)} ms`;
  return `| ${codeText(origin)} | ${availability} | ${markdownText(availabilityReason)} | ${calls} | ${median} |`;
}

/** Escapes a string for one table cell: no markup, link or HTML. */
function markdownText(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_{}[\]<>()#+!|~&]/g, (character) => `\\${character}`);
}

function codeText(text: string): string {
  const plain = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  const fence = plain.includes("`") ? "``" : "`";
  return `${fence}${plain}${fence}`;
}
