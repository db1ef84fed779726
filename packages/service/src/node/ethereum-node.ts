import { setTimeout as sleep } from "node:timers/promises";
import {
  createEthereumNode,
  type DemoChain,
  type EthereumNode as ExecutionClient,
  startDemoChain,
} from "@nodewright/ethereum-graphql";
import { ServiceError } from "@nodewright/runtime";
import type { GuardedUpstream, UpstreamNodeReport } from "@nodewright/upstream";
import type { RunningNode } from "../gate/admission.ts";
import type { NodeHealth } from "./node-health.ts";
import { createReportNotifier } from "./node-report.ts";
import { connectToClients, createExecutionClient, type ExecutionClients } from "./upstream-nodes.ts";
import type { SupervisedNode } from "./node-status.ts";

/** Parts of an Ethereum node that serve requests. */
export interface EthereumServingNode extends RunningNode {
  readonly chain: "ethereum";
  /** Returns the client, for requests that were admitted; throws when the node is unavailable. */
  getClient(): ExecutionClient;
}

/** An Ethereum node of this process: an execution client, ours for the demo or the user's. */
export interface EthereumNode extends EthereumServingNode, SupervisedNode {
  readonly chain: "ethereum";
}

export interface EthereumNodeOptions {
  readonly id: string;
  /** Writes a line for the operator. */
  say(line: string): void;
}

const retryAfterSeconds = 5;
const firstDelayMilliseconds = 500;
const maximumDelayMilliseconds = 30_000;

export interface DemoEthereumNodeOptions extends EthereumNodeOptions {
  /** Starts the chain. Absent: anvil with the demo's history. */
  readonly startChain?: (options: { readonly signal: AbortSignal }) => Promise<DemoChain | undefined>;
}

/** Serves the demo chain, which is restarted whenever it ends. */
export function createDemoEthereumNode(options: DemoEthereumNodeOptions): EthereumNode {
  const { id, say, startChain = startDemoChain } = options;
  const stopping = new AbortController();
  let client: ExecutionClient | undefined;
  let upstream: GuardedUpstream | undefined;
  let clients: ExecutionClients | undefined;
  let problem: string | undefined = "The demo chain is starting";
  let running: Promise<void> | undefined;
  const reports = createReportNotifier(() => ({ chain: "ethereum", id, clients, problem }));

  /** Runs the chain once; returns false when this machine has no anvil. */
  const runOnce = async (started: () => void): Promise<boolean> => {
    const chain = await startChain({ signal: stopping.signal });
    if (chain === undefined) return false;
    // The signal acts on a running chain: this one may have been abandoned while it was being set up.
    if (stopping.signal.aborted) await chain.stop();
    clients = { addresses: [{ url: chain.url, credentials: { kind: "none" } }], guard: { hedgesReads: false } };
    upstream = connectToClients(clients);
    client = createEthereumNode(upstream);
    problem = undefined;
    reports.notify();
    void client.capabilities.all();
    started();
    await chain.ended;
    const ended = upstream;
    client = undefined;
    upstream = undefined;
    clients = undefined;
    await ended.close();
    return true;
  };
  const run = async (started: () => void): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      const delay = Math.min(firstDelayMilliseconds * 2 ** attempt, maximumDelayMilliseconds);
      const ended = await runOnce(() => {
        attempt = 0;
        started();
      }).catch((error: unknown) => (error instanceof Error ? error.message : "anvil could not be started"));
      if (stopping.signal.aborted) return;
      problem = ended === false ? anvilMissing : `The demo chain has ended${ended === true ? "" : ` (${ended})`}`;
      reports.notify();
      say(`${id}: ${problem}${ended === false ? "" : `; starting it again in ${delay / 1_000} s`}`);
      started();
      if (ended === false) return;
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  return {
    id,
    chain: "ethereum",
    summary: () => "demo chain in anvil",
    problem: () => problem,
    unavailable: () => (client === undefined ? ethereumUnavailable(problem) : undefined),
    getClient() {
      if (client === undefined) throw ethereumUnavailable(problem);
      return client;
    },
    health: () => ethereumHealth({ id, problem, isServed: client !== undefined, upstream, client }),
    watch: reports.watch,
    start: () =>
      new Promise((resolve) => {
        running = run(resolve);
      }),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

interface KnownState {
  readonly id: string;
  readonly problem: string | undefined;
  readonly isServed: boolean;
  readonly upstream: GuardedUpstream | undefined;
  readonly client: ExecutionClient | undefined;
}

async function ethereumHealth({ id, problem, isServed, upstream, client }: KnownState): Promise<NodeHealth> {
  // Requests may be served in other processes: then nothing else queries here again.
  if (isServed) void client?.capabilities.all();
  const capabilities = client?.capabilities.describe().capabilities;
  return {
    id,
    chain: "ethereum",
    isServed,
    ...(problem === undefined ? {} : { problem }),
    ...(upstream === undefined ? {} : { upstreams: upstream.nodes() }),
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}

const anvilMissing =
  "GraphQL is missing its node: anvil was not found, neither as the npm package @foundry-rs/anvil-linux-amd64 nor on the PATH; install it and start again, or give a node with --ethereum-rpc";

/** Serves the user's own execution clients. */
export function createOwnEthereumNode(clients: ExecutionClients, options: EthereumNodeOptions): EthereumNode {
  const { id, say } = options;
  const stopping = new AbortController();
  const upstream = connectToClients(clients);
  const client = createExecutionClient(upstream, clients);
  /** Last reported problem; the first report is part of the start. */
  let reported: string | undefined = notServed;
  let hasStarted = false;
  let watching: NodeJS.Timeout | undefined;
  const problem = (): string | undefined => (hasStarted ? problemOf(upstream.nodes()) : notServed);
  const reports = createReportNotifier(() => ({ chain: "ethereum", id, clients, problem: problem() }));

  const probe = async (): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      try {
        await upstream.call("eth_chainId", [], { signal: stopping.signal });
        hasStarted = true;
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const delay = Math.min(firstDelayMilliseconds * 2 ** attempt, maximumProbeMilliseconds);
        const reason = problemOf(upstream.nodes()) ?? messageOf(error);
        if (attempt === 0) say(`${id}: the node of --ethereum-rpc does not respond yet (${reason}); trying again`);
        await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const watch = (): void => {
    const now = problem();
    if (now === reported) return;
    const isNews = (now === undefined) !== (reported === undefined);
    reported = now;
    reports.notify();
    if (isNews) say(`${id}: ${now ?? "the node responds again"}`);
  };
  return {
    id,
    chain: "ethereum",
    summary: () => renderSummary(upstream.nodes()),
    problem,
    // The upstream itself reports its problem, with each request anew.
    unavailable: () => undefined,
    getClient: () => client,
    health: () => ethereumHealth({ id, problem: problem(), isServed: problem() === undefined, upstream, client }),
    watch: reports.watch,
    async start() {
      await probe();
      if (stopping.signal.aborted) return;
      reported = problem();
      reports.notify();
      void client.capabilities.all();
      watching = setInterval(watch, watchMilliseconds).unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(watching);
      await upstream.close();
    },
  };
}

const notServed = "The Ethereum node has not responded yet";
const maximumProbeMilliseconds = 5_000;
/** Milliseconds between two checks of the nodes' state; the upstream polls them by itself. */
const watchMilliseconds = 1_000;

/** Returns why none of the nodes is available; `undefined` while one is. */
function problemOf(nodes: readonly UpstreamNodeReport[]): string | undefined {
  if (nodes.some(({ problem }) => problem === undefined)) return undefined;
  const reasons = nodes.map(({ problem, name }) => (nodes.length === 1 ? problem : `${name}: ${problem}`));
  return `The Ethereum node can't be reached: ${reasons.join("; ")}`;
}

function renderSummary(nodes: readonly UpstreamNodeReport[]): string {
  const chainId = nodes.find((node) => node.problem === undefined)?.chainId ?? nodes[0]?.chainId;
  const count = nodes.length === 1 ? "your node" : `your ${nodes.length} nodes`;
  return chainId === undefined ? count : `${count}, chain id ${chainId}`;
}

/** Creates the error that clients receive while there is no execution client. */
export function ethereumUnavailable(problem: string | undefined): ServiceError {
  return new ServiceError("upstream_unavailable", problem ?? "The demo chain has ended", { retryAfterSeconds });
}

/** Returns the message. Messages of an upstream contain no URL and no credentials. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "no response";
}
