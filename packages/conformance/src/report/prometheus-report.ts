import { isFailing, type OperationReport, type Report, verdicts } from "../contract/report.ts";

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number | undefined];

/**
 * Renders metrics of the last run in the text format 0.0.4 of Prometheus, for the textfile collector of the node exporter. All are gauges:
 * each run overwrites them.
 */
export function renderPrometheus(report: Report): string {
  const { suite, target, totals, operations, tool, outcome } = report;
  const common = { suite: suite.name, target: report.baseUrl };
  const lines: string[] = [];
  const gauge = (shortName: string, help: string, samples: readonly Sample[]): void => {
    const known = samples.filter(([, value]) => value !== undefined);
    if (known.length === 0) return;
    const name = `nodewright_conform_${shortName}`;
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`);
    lines.push(...known.map(([labels, value]) => `${name}${renderLabels({ ...common, ...labels })} ${value}`));
  };
  const one = (name: string, help: string, value: number | undefined): void => gauge(name, help, [[{}, value]]);
  const ofEach = (name: string, help: string, read: (one: OperationReport) => number | undefined): void =>
    gauge(
      name,
      help,
      operations.map((each): Sample => [{ operation: each.operation }, read(each)]),
    );
  const { client = "", chain = "", height, headLagSeconds, isSynchronised } = target;
  const versions = { version: suite.version, tool: tool.version, client, chain };
  const failed = report.cases.filter(isFailing);
  gauge("info", "What was played: versions of the document, the tool and the client.", [[versions, 1]]);
  one(
    "conforms",
    "1 when the target conforms; 0 when it does not, or the run is inconclusive.",
    Number(outcome === "conforms"),
  );
  one("conclusive", "1 when the run has a result; 0 when it is inconclusive.", Number(outcome !== "inconclusive"));
  gauge(
    "cases",
    "Cases of the last run by verdict.",
    verdicts.map((verdict): Sample => [{ verdict }, totals[verdict]]),
  );
  one("requests", "Requests of the last run.", report.requests);
  one("duration_seconds", "How long the last run took.", seconds(report.milliseconds));
  one("last_run_timestamp_seconds", "When the last run began.", Math.floor(Date.parse(report.startedAt) / 1000));
  one("target_height", "Height of the target's head.", height);
  one("target_head_lag_seconds", "Seconds between the run and the head's time.", headLagSeconds);
  one(
    "target_synchronised",
    "1 when the target has caught up.",
    isSynchronised === undefined ? undefined : Number(isSynchronised),
  );
  ofEach("operation_available", "1 when the operation is offered, 0 when it is not.", ({ availability }) =>
    availability === "unknown" || availability === "not sent" ? undefined : Number(availability === "available"),
  );
  ofEach(
    "operation_failed_cases",
    "Cases of the operation that failed or are stale.",
    ({ operation }) => failed.filter((one) => one.operation === operation).length,
  );
  gauge(
    "operation_latency_seconds",
    "Quantiles of the operation's times in the last run.",
    operations.flatMap(({ operation, latency }): readonly Sample[] => {
      if (latency === undefined) return [];
      const { p50, p95, p99, most } = latency;
      const quantiles = [
        ["0.5", p50],
        ["0.95", p95],
        ["0.99", p99],
        ["1", most],
      ] as const;
      return quantiles.map(([quantile, time]) => [{ operation, quantile }, seconds(time)]);
    }),
  );
  return lines.map((line) => `${line}\n`).join("");
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** Returns seconds, rounded to microseconds: a division would have the rounding error of doubles. */
function seconds(milliseconds: number): number {
  return Number((milliseconds / 1000).toFixed(6));
}
