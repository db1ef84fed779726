import { faultsOf } from "./folded-finding.ts";
import { renderGithub } from "./github-report.ts";
import { renderHar } from "./har-report.ts";
import { renderHtml } from "./html/render-html.ts";
import { renderJunit } from "./junit-report.ts";
import { renderMethodsJson, renderMethodsMarkdown } from "./methods-report.ts";
import { renderPrometheus } from "./prometheus-report.ts";
import type { Report } from "../contract/report.ts";
import type { ReportFormatName } from "./report-format.ts";
import { renderTerminal, type TerminalSettings } from "./terminal/render-terminal.ts";

/** Settings of a written report. */
export interface RenderSettings extends TerminalSettings {
  /** Whether a format with two forms is written as JSON. */
  readonly isJson: boolean;
}

/** Formats that are written at the end of a run; `ndjson` is written during it. */
type FinishedFormat = Exclude<ReportFormatName, "ndjson">;

/** Renders a report in one of its formats. */
export function renderReport(format: FinishedFormat, report: Report, settings: RenderSettings): string {
  return renderers[format](report, settings);
}

const renderers: Readonly<Record<FinishedFormat, (report: Report, settings: RenderSettings) => string>> = {
  terminal: renderTerminal,
  json: (report) => `${JSON.stringify({ ...report, faults: faultsOf(report) }, undefined, 2)}\n`,
  junit: renderJunit,
  html: (report, { texts }) => renderHtml(report, texts),
  github: renderGithub,
  har: renderHar,
  methods: (report, { isJson }) => (isJson ? renderMethodsJson(report) : renderMethodsMarkdown(report)),
  prometheus: renderPrometheus,
};
