import { failingVerdicts, type OperationReport, type Report, verdicts } from "../contract/report.ts";

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Metrics of the last run in the text format of Prometheus 0.0.4, for the textfile collector of the node exporter. All are gauges: each
 * run writes them anew.
 */
export function renderPrometheus(report: Report): string {
  return metricsOf(report)
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...samples.map(({ labels, value }) => `${name}${renderLabels(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function metricsOf(report: Report): readonly Metric[] {
  const common = { suite: report.suite.name, target: report.baseUrl };
  const { target, totals, operations } = report;
  const one = (name: string, help: string, value: number | undefined): Metric => ({
    name: `nodewright_conform_${name}`,
    help,
    samples: value === undefined ? [] : [{ labels: common, value }],
  });
  const perOperation = (name: string, help: string, read: (one: OperationReport) => number | undefined): Metric => ({
    name: `nodewright_conform_${name}`,
    help,
    samples: operations.flatMap((each) => {
      const value = read(each);
      return value === undefined ? [] : [{ labels: { ...common, operation: each.operation }, value }];
    }),
  });
  return [
    {
      name: "nodewright_conform_info",
      help: "What was played: versions of the document, the tool and the client.",
      samples: [
        {
          labels: {
            ...common,
            version: report.suite.version,
            tool: report.tool.version,
            client: target.client ?? "",
            chain: target.chain ?? "",
          },
          value: 1,
        },
      ],
    },
    one(
      "conforms",
      "1 when the target conforms; 0 when it does not, or nothing can be said.",
      report.outcome === "conforms" ? 1 : 0,
    ),
    one("judged", "1 when something could be said of the target.", report.outcome === "unjudged" ? 0 : 1),
    {
      name: "nodewright_conform_cases",
      help: "Cases of the last run by verdict.",
      samples: verdicts.map((verdict) => ({ labels: { ...common, verdict }, value: totals[verdict] })),
    },
    one("requests", "Requests of the last run.", report.requests),
    one("duration_seconds", "How long the last run took.", seconds(report.milliseconds)),
    one("last_run_timestamp_seconds", "When the last run began.", Math.floor(Date.parse(report.startedAt) / 1000)),
    one("target_height", "Height of the target's head.", target.height),
    one("target_head_lag_seconds", "Seconds between the run and the head's time.", target.headLagSeconds),
    one(
      "target_synchronised",
      "1 when the target has caught up.",
      target.isSynchronised === undefined ? undefined : Number(target.isSynchronised),
    ),
    perOperation("operation_available", "1 when the operation is offered, 0 when it is not.", ({ availability }) =>
      availability === "unknown" || availability === "not sent" ? undefined : Number(availability === "available"),
    ),
    perOperation(
      "operation_failed_cases",
      "Cases of the operation that failed or are stale.",
      createFailedCounter(report),
    ),
    {
      name: "nodewright_conform_operation_latency_seconds",
      help: "Quantiles of the operation's times in the last run.",
      samples: operations.flatMap(({ operation, latency }) =>
        latency === undefined
          ? []
          : (
              [
                ["0.5", latency.p50],
                ["0.95", latency.p95],
                ["0.99", latency.p99],
                ["1", latency.most],
              ] as const
            ).map(([quantile, milliseconds]) => ({
              labels: { ...common, operation, quantile },
              value: seconds(milliseconds),
            })),
      ),
    },
  ];
}

function createFailedCounter({ cases }: Report): (one: OperationReport) => number {
  const counts = new Map<string, number>();
  for (const { operation, verdict } of cases)
    if (failingVerdicts.has(verdict)) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return ({ operation }) => counts.get(operation) ?? 0;
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** To the microsecond: a division would leave the noise of doubles behind. */
function seconds(milliseconds: number): number {
  return Number((milliseconds / 1000).toFixed(6));
}
