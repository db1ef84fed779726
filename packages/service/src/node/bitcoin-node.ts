import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ChainIndexReader,
  type ChainQueries,
  type IndexerEvent,
  openChainIndex,
} from "@nodewright/bitcoin-indexer";
import type { Network } from "@nodewright/bitcoin-primitives";
import type { Upstream } from "@nodewright/upstream";
import { type SupervisedProcess, superviseProcess } from "../process/supervised-process.ts";
import { emptyIndex, type IndexState, nextIndexState, unavailableIndex } from "./index-state.ts";
import type { SupervisedNode } from "./node-status.ts";

/** A Bitcoin node of this process: an index that a child process writes, and the node behind it, if there is one. */
export interface BitcoinNode extends SupervisedNode {
  readonly chain: "bitcoin";
  readonly network: Network;
  readonly queries: ChainQueries;
  readonly upstream: Upstream | undefined;
}

export interface BitcoinNodeOptions {
  readonly id: string;
  readonly network: Network;
  /** Where the index stands. It may not be there yet. */
  readonly directory: string;
  readonly upstream?: Upstream | undefined;
  /** Starts the process that writes the index and sends `IndexerEvent`s. */
  startIndexer(): ChildProcess;
  onEvent(event: IndexerEvent): void;
  /** A line for the operator. */
  say(line: string): void;
}

/** How long a start waits for news of an index that is served anyway. */
const catchUpMilliseconds = 5_000;

/** Stands beside an index that once had all blocks of its source. */
const installedFile = "installed";

/** Serves a chain from an index in `options.directory`. Throws `IndexerError` when there is one that can't be used. */
export function createBitcoinNode(options: BitcoinNodeOptions): BitcoinNode {
  const { id, network, directory, upstream } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const reader: ChainIndexReader = openChainIndex(directory, { network });
  let state: IndexState = { ...emptyIndex, served: existsSync(join(directory, installedFile)) };
  let indexer: SupervisedProcess | undefined;

  const receive = (event: IndexerEvent, settled: () => void): void => {
    state = nextIndexState(state, event);
    if (event.state === "ready") writeFileSync(join(directory, installedFile), "");
    options.onEvent(event);
    if (event.state !== "indexing" && (state.served || event.state === "failed")) settled();
  };
  const start = (settled: () => void): SupervisedProcess =>
    superviseProcess({
      start() {
        const child = options.startIndexer();
        child.on("message", (message) => {
          if (isIndexerEvent(message)) receive(message, settled);
        });
        return child;
      },
      // One that has indexed all there is, or has met what it can't get over, has ended for good.
      startsAgain: () =>
        state.latest?.state !== "failed" && !(state.latest?.state === "ready" && upstream === undefined),
      onDeath({ how, delayMilliseconds }) {
        if (delayMilliseconds === undefined) return;
        options.say(`${id}: the indexer has ended (${how}); starting it again in ${delayMilliseconds / 1_000} s`);
      },
    });
  return {
    id,
    chain: "bitcoin",
    network,
    queries: reader,
    upstream,
    summary: () => renderSummary(network, state),
    problem: () => problemOf(state),
    unavailable: () => unavailableIndex(state),
    async start() {
      // A marker without an index tells of one that somebody has taken away.
      if (state.served && (await reader.tip()) === undefined) state = emptyIndex;
      await new Promise<void>((resolve) => {
        if (state.served) setTimeout(resolve, catchUpMilliseconds).unref();
        indexer = start(resolve);
      });
    },
    async stop() {
      await indexer?.stop();
      await upstream?.close();
      await reader.close();
    },
  };
}

function renderSummary(network: Network, { latest }: IndexState): string {
  if (latest === undefined || latest.height < 0) return network.name;
  return `${network.name}, blocks 0 to ${latest.height}`;
}

function problemOf({ latest }: IndexState): string | undefined {
  if (latest?.state !== "failed" && latest?.state !== "stalled") return undefined;
  const served = latest.height < 0 ? "Nothing is served" : `Served up to height ${latest.height}`;
  return `${served}: ${latest.reason ?? "the indexer has failed"}`;
}

function isIndexerEvent(message: unknown): message is IndexerEvent {
  return typeof message === "object" && message !== null && "state" in message && "targetHeight" in message;
}
