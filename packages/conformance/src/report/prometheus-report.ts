import { isFailing, type Report, verdicts } from "../contract/report.ts";

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number | undefined];
/** Samples of a metric; a single value is a sample without further labels. */
type Reading = readonly Sample[] | number | boolean | undefined;

/** Metrics with their help. */
const metrics = {
  info: "What was played: versions of the document, the tool and the client.",
  conforms: "1 when the target conforms; 0 when it does not, or the run is inconclusive.",
  conclusive: "1 when the run has a result; 0 when it is inconclusive.",
  cases: "Cases of the last run by verdict.",
  requests: "Requests of the last run.",
  duration_seconds: "How long the last run took.",
  last_run_timestamp_seconds: "When the last run began.",
  target_height: "Height of the target's head.",
  target_head_lag_seconds: "Seconds between the run and the head's time.",
  target_synchronised: "1 when the target has caught up.",
  operation_available: "1 when the operation is offered, 0 when it is not.",
  operation_failed_cases: "Cases of the operation that failed or are stale.",
  operation_latency_seconds: "Quantiles of the operation's times in the last run.",
} as const;

const readers: Readonly<Record<keyof typeof metrics, (report: Report) => Reading>> = {
  info: ({ suite: { version }, tool, target: { client = "", chain = "" } }) => [
    [{ version, tool: tool.version, client, chain }, 1],
  ],
  conforms: ({ outcome }) => outcome === "conforms",
  conclusive: ({ outcome }) => outcome !== "inconclusive",
  cases: ({ totals }) => verdicts.map((verdict) => [{ verdict }, totals[verdict]]),
  requests: ({ requests }) => requests,
  duration_seconds: ({ milliseconds }) => seconds(milliseconds),
  last_run_timestamp_seconds: ({ startedAt }) => Math.floor(Date.parse(startedAt) / 1000),
  target_height: ({ target }) => target.height,
  target_head_lag_seconds: ({ target }) => target.headLagSeconds,
  target_synchronised: ({ target }) => target.isSynchronised,
  operation_available: ({ operations }) =>
    operations
      .filter(({ availability }) => availability !== "unknown" && availability !== "not sent")
      .map(({ operation, availability }) => [{ operation }, Number(availability === "available")]),
  operation_failed_cases: ({ operations, cases }) => {
    const failed = cases.filter(isFailing);
    return operations.map(({ operation }) => [
      { operation },
      failed.filter((one) => one.operation === operation).length,
    ]);
  },
  operation_latency_seconds: latencies,
};

/**
 * Renders metrics of the last run in the text format 0.0.4 of Prometheus, for the textfile collector of the node exporter. All are gauges:
 * each run overwrites them.
 */
export function renderPrometheus(report: Report): string {
  const common = { suite: report.suite.name, target: report.baseUrl };
  const lines = Object.entries(metrics).flatMap(([shortName, help]) => {
    const value = readers[shortName as keyof typeof metrics](report);
    const samples = typeof value === "object" ? value : [[{}, value === undefined ? value : Number(value)] as const];
    const known = samples.filter(([, number]) => number !== undefined);
    const name = `nodewright_conform_${shortName}`;
    const head = [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];
    const written = known.map(([labels, number]) => `${name}${renderLabels({ ...common, ...labels })} ${number}`);
    return known.length === 0 ? [] : [...head, ...written];
  });
  return lines.map((line) => `${line}\n`).join("");
}

function latencies({ operations }: Report): readonly Sample[] {
  return operations.flatMap(({ operation, latency }): readonly Sample[] => {
    if (latency === undefined) return [];
    const quantiles = { "0.5": latency.p50, "0.95": latency.p95, "0.99": latency.p99, "1": latency.most };
    return Object.entries(quantiles).map(([quantile, time]) => [{ operation, quantile }, seconds(time)]);
  });
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
