import { setTimeout as sleep } from "node:timers/promises";
import {
  createEthereumNode,
  type DemoChain,
  type EthereumNode as ExecutionClient,
  startDemoChain,
} from "@nodewright/ethereum-graphql";
import { ServiceError } from "@nodewright/runtime";
import { createHttpUpstream } from "@nodewright/upstream";
import type { NodeAddress } from "../command/start-options.ts";
import type { RunningNode } from "../gate/admission.ts";
import type { NodeHealth } from "./node-health.ts";
import { createReportTeller } from "./node-report.ts";
import type { SupervisedNode } from "./node-status.ts";

/** What requests about an Ethereum node are answered from. */
export interface AnsweringEthereumNode extends RunningNode {
  readonly chain: "ethereum";
  /** For requests that were admitted; throws when the node is unavailable. */
  getClient(): ExecutionClient;
}

/** An Ethereum node of this process: an execution client, ours for the demo or the user's. */
export interface EthereumNode extends AnsweringEthereumNode, SupervisedNode {
  readonly chain: "ethereum";
}

export interface EthereumNodeOptions {
  readonly id: string;
  /** A line for the operator. */
  say(line: string): void;
}

const retryAfterSeconds = 5;
const firstDelayMilliseconds = 500;
const longestDelayMilliseconds = 30_000;

export interface DemoEthereumNodeOptions extends EthereumNodeOptions {
  /** Absent: anvil with the demo's history. */
  readonly startChain?: (options: { readonly signal: AbortSignal }) => Promise<DemoChain | undefined>;
}

/** Serves the demo chain, started again whenever it ends. */
export function createDemoEthereumNode(options: DemoEthereumNodeOptions): EthereumNode {
  const { id, say, startChain = startDemoChain } = options;
  const stopping = new AbortController();
  let client: ExecutionClient | undefined;
  let address: NodeAddress | undefined;
  let problem: string | undefined = "The demo chain is starting";
  let running: Promise<void> | undefined;
  const reports = createReportTeller(() => ({ chain: "ethereum", id, address, problem }));

  /** One life of the chain; false when this machine has no anvil. */
  const runOnce = async (started: () => void): Promise<boolean> => {
    const chain = await startChain({ signal: stopping.signal });
    if (chain === undefined) return false;
    // The signal acts on a chain that stands: this one may have been abandoned while it was being set up.
    if (stopping.signal.aborted) await chain.stop();
    const upstream = createHttpUpstream({ url: chain.url });
    client = createEthereumNode(upstream);
    address = { url: chain.url, credentials: { kind: "none" } };
    problem = undefined;
    reports.tell();
    started();
    await chain.ended;
    client = undefined;
    address = undefined;
    await upstream.close();
    return true;
  };
  const run = async (started: () => void): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      const delay = Math.min(firstDelayMilliseconds * 2 ** attempt, longestDelayMilliseconds);
      const ended = await runOnce(() => {
        attempt = 0;
        started();
      }).catch((error: unknown) => (error instanceof Error ? error.message : "anvil could not be started"));
      if (stopping.signal.aborted) return;
      problem = ended === false ? anvilMissing : `The demo chain has ended${ended === true ? "" : ` (${ended})`}`;
      reports.tell();
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
    health: async () => ethereumHealth(id, problem),
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

function ethereumHealth(id: string, problem: string | undefined): NodeHealth {
  const rest = problem === undefined ? {} : { problem };
  return { id, chain: "ethereum", isServed: problem === undefined, ...rest };
}

const anvilMissing =
  "GraphQL is missing its node: anvil was not found, neither as the npm package @foundry-rs/anvil-linux-amd64 nor on the PATH; install it and start again, or give a node with --ethereum-rpc";

/** Serves the user's own execution client. */
export function createOwnEthereumNode(address: NodeAddress, options: EthereumNodeOptions): EthereumNode {
  const { id, say } = options;
  const stopping = new AbortController();
  const upstream = createHttpUpstream({ url: address.url, credentials: address.credentials });
  const client = createEthereumNode(upstream);
  let problem: string | undefined = "The Ethereum node has not answered yet";
  let chainId: string | undefined;

  const probe = async (): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      try {
        chainId = String(await upstream.call("eth_chainId", [], { signal: stopping.signal }));
        problem = undefined;
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const delay = Math.min(firstDelayMilliseconds * 2 ** attempt, longestDelayMilliseconds);
        if (attempt === 0)
          say(`${id}: the node of --ethereum-rpc does not answer yet (${messageOf(error)}); trying again`);
        await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  return {
    id,
    chain: "ethereum",
    summary: () => (chainId === undefined ? "your node" : `your node, chain id ${BigInt(chainId)}`),
    problem: () => problem,
    // The upstream itself says what is wrong with it, with each request anew.
    unavailable: () => undefined,
    getClient: () => client,
    health: async () => ({ ...ethereumHealth(id, problem), isServed: true }),
    watch: createReportTeller(() => ({ chain: "ethereum", id, address })).watch,
    start: probe,
    async stop() {
      stopping.abort();
      await upstream.close();
    },
  };
}

/** What callers get while there is no execution client. */
export function ethereumUnavailable(problem: string | undefined): ServiceError {
  return new ServiceError("upstream_unavailable", problem ?? "The demo chain has ended", { retryAfterSeconds });
}

/** Messages of an upstream hold no URL and no credentials. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "no answer";
}
