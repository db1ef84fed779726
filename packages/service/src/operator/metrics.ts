import type { IndexerState, MempoolProgress, OptionalProgress } from "@nodewright/bitcoin-indexer";
import type { BreakerState, NodeStanding } from "@nodewright/upstream";
import type { ServiceStatus } from "../gate/public-listener.ts";
import type { NodeHealth } from "../node/node-health.ts";

/** Figures of a process, as Node reports them. */
export interface ProcessFigures {
  cpuUsage(): { readonly user: number; readonly system: number };
  memoryUsage: { rss(): number };
  uptime(): number;
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly samples: readonly Sample[];
}

const indexerStates: readonly IndexerState[] = ["indexing", "ready", "stalled", "failed", "stopped"];
const optionalStates: readonly OptionalProgress["state"][] = ["indexing", "ready", "stalled", "failed"];
const mempoolStates: readonly MempoolProgress["state"][] = ["following", "waiting", "stalled"];
const serviceStatuses: readonly ServiceStatus[] = ["ok", "starting", "degraded"];

/** Renders the figures of a service in the text format of Prometheus, version 0.0.4. */
export function renderMetrics(status: ServiceStatus, nodes: readonly NodeHealth[], own: ProcessFigures): string {
  return [...serviceMetrics(status, own), ...nodeMetrics(nodes), ...upstreamMetrics(nodes)]
    .filter(({ samples }) => samples.length > 0)
    .map(renderMetric)
    .join("");
}

function serviceMetrics(status: ServiceStatus, own: ProcessFigures): readonly Metric[] {
  const { user, system } = own.cpuUsage();
  const alone = (value: number): readonly Sample[] => [{ labels: {}, value }];
  return [
    gauge("nodewright_status", "1 for the word of /healthz.", oneOf(serviceStatuses, status, {})),
    {
      name: "process_cpu_seconds_total",
      help: "Processor time of the main process.",
      type: "counter",
      samples: alone((user + system) / 1_000_000),
    },
    gauge("process_resident_memory_bytes", "Memory of the main process.", alone(own.memoryUsage.rss())),
    gauge(
      "process_start_time_seconds",
      "When the main process was started, in seconds since 1970.",
      alone(Math.round(Date.now() / 1_000 - own.uptime())),
    ),
  ];
}

function nodeMetrics(nodes: readonly NodeHealth[]): readonly Metric[] {
  const each = (read: (node: NodeHealth) => number | undefined): readonly Sample[] =>
    nodes.flatMap((node) => {
      const value = read(node);
      return value === undefined ? [] : [{ labels: { node: node.id }, value }];
    });
  const eachOptional = (read: (progress: OptionalProgress, labels: Sample["labels"]) => readonly Sample[]) =>
    nodes.flatMap(({ id, optionalIndexes = [] }) =>
      optionalIndexes.flatMap((progress) => read(progress, { node: id, index: progress.index })),
    );
  return [
    gauge(
      "nodewright_node_served",
      "1 while the interfaces of a node are served.",
      each(({ isServed }) => Number(isServed)),
    ),
    gauge(
      "nodewright_node_problem",
      "1 while something keeps a node from serving everything.",
      each(({ problem }) => Number(problem !== undefined)),
    ),
    gauge(
      "nodewright_index_state",
      "1 for what the indexer of a node does.",
      nodes.flatMap(({ id, index }) => (index === undefined ? [] : oneOf(indexerStates, index.state, { node: id }))),
    ),
    gauge(
      "nodewright_index_height",
      "Height of the highest indexed block; -1 while the index is empty.",
      each(({ index }) => index?.height),
    ),
    gauge(
      "nodewright_index_target_height",
      "Height of the best block of the index's source; -1 while unknown.",
      each(({ index }) => index?.targetHeight),
    ),
    gauge(
      "nodewright_index_last_block_time_seconds",
      "Time of the highest indexed block, in seconds since 1970.",
      each(({ index }) => index?.lastBlockTime),
    ),
    gauge(
      "nodewright_optional_index_state",
      "1 for the current state of an optional index.",
      eachOptional(({ state }, labels) => oneOf(optionalStates, state, labels)),
    ),
    gauge(
      "nodewright_optional_index_height",
      "Height of the highest block in an optional index; -1 while it is empty.",
      eachOptional(({ height }, labels) => [{ labels, value: height }]),
    ),
    gauge(
      "nodewright_upstream_answer_age_seconds",
      "Time since the last valid response of the index's upstream node.",
      each(({ secondsSinceResponse }) => secondsSinceResponse),
    ),
    gauge(
      "nodewright_mempool_state",
      "1 for what the mempool of a node does.",
      nodes.flatMap(({ id, mempool }) =>
        mempool === undefined ? [] : oneOf(mempoolStates, mempool.state, { node: id }),
      ),
    ),
    gauge(
      "nodewright_mempool_transactions",
      "Unconfirmed transactions.",
      each(({ mempool }) => mempool?.transactions),
    ),
    gauge(
      "nodewright_mempool_virtual_bytes",
      "Virtual size of the unconfirmed transactions.",
      each(({ mempool }) => mempool?.virtualSize),
    ),
    gauge(
      "nodewright_mempool_left_out_transactions",
      "Unconfirmed transactions of the node that are not shown, because they can't be right.",
      each(({ mempool }) => mempool?.leftOut),
    ),
    gauge(
      "nodewright_mempool_refresh_seconds",
      "How long the last refresh took.",
      each(({ mempool }) =>
        mempool === undefined || mempool.refreshMilliseconds < 0 ? undefined : mempool.refreshMilliseconds / 1_000,
      ),
    ),
  ];
}

type Upstreams = NonNullable<NodeHealth["upstreams"]>;

const breakerStates: readonly BreakerState[] = ["closed", "half-open", "open"];
const standings: readonly NodeStanding[] = [
  "well",
  "unheard",
  "lagging",
  "forked",
  "went-back",
  "other-network",
  "other-software",
];

/** Returns the metrics of each upstream node. */
function upstreamMetrics(nodes: readonly NodeHealth[]): readonly Metric[] {
  const samplesOf = (read: (upstream: Upstreams[number], labels: Sample["labels"]) => readonly Sample[]) =>
    nodes.flatMap(({ id, upstreams = [] }) =>
      upstreams.flatMap((upstream) => read(upstream, { node: id, upstream: upstream.name })),
    );
  const each = (read: (upstream: Upstreams[number]) => number | undefined): readonly Sample[] =>
    samplesOf((upstream, labels) => {
      const value = read(upstream);
      return value === undefined ? [] : [{ labels, value }];
    });
  const counter = (name: string, help: string, read: (upstream: Upstreams[number]) => number): Metric => {
    return { name, help, type: "counter", samples: each(read) };
  };
  return [
    gauge(
      "nodewright_upstream_breaker",
      "1 for the state of the circuit breaker of an upstream node.",
      samplesOf(({ breaker }, labels) => oneOf(breakerStates, breaker, labels)),
    ),
    gauge(
      "nodewright_upstream_standing",
      '1 for the standing of an upstream node\'s chain relative to the best one; nodes whose standing is not "well" are excluded.',
      samplesOf(({ standing }, labels) => oneOf(standings, standing, labels)),
    ),
    gauge(
      "nodewright_upstream_height",
      "Height of the best block of an upstream node.",
      each(({ head }) => head?.height),
    ),
    gauge(
      "nodewright_upstream_lag_blocks",
      "Blocks by which an upstream node lags behind the best one.",
      each(({ lag }) => lag),
    ),
    gauge(
      "nodewright_upstream_outstanding_requests",
      "Requests in flight to an upstream node.",
      each(({ outstanding }) => outstanding),
    ),
    gauge(
      "nodewright_upstream_connection_bound",
      "Maximum concurrent requests to an upstream node, where its limit is known.",
      each(({ connectionBound }) => connectionBound),
    ),
    gauge(
      "nodewright_upstream_batch_limit",
      "Maximum calls in one request to an upstream node, where its limit is known.",
      each(({ batchLimit }) => batchLimit),
    ),
    counter("nodewright_upstream_calls_total", "Calls to an upstream node.", ({ calls }) => calls),
    counter(
      "nodewright_upstream_failures_total",
      "Requests to an upstream node without a valid response.",
      ({ failures }) => failures,
    ),
    counter(
      "nodewright_upstream_refusals_total",
      "Requests that an upstream node rejected because it was busy.",
      ({ refusals }) => refusals,
    ),
    counter(
      "nodewright_upstream_retries_total",
      "Requests to an upstream node after another one failed (failover).",
      ({ retries }) => retries,
    ),
    counter(
      "nodewright_upstream_hedges_total",
      "Requests to an upstream node because another one was slow (hedging).",
      ({ hedges }) => hedges,
    ),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: "gauge", samples };
}

/** Returns one sample for each state, so that graphs of one don't end when another begins. */
function oneOf<State extends string>(
  states: readonly State[],
  current: State,
  labels: Readonly<Record<string, string>>,
): readonly Sample[] {
  return states.map((state) => ({ labels: { ...labels, state }, value: Number(state === current) }));
}

function renderMetric({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ labels, value }) => `${name}${renderLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

/** Renders labels. Node ids and states need no escapes. */
function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
