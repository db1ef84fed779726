import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type BlockRepairOutcome,
  type ChainIndexReader,
  damagedBlocks,
  damageStamp,
  type ChainQueries,
  type DamagedBlock,
  type IndexerEvent,
  type IndexerProcess,
  isIndexerError,
  type MempoolQueries,
  type OptionalIndexes,
  openChainIndex,
  repairHintOf,
  type SourceConfiguration,
  startIndexer,
} from "@nodewright/bitcoin-indexer";
import type { Network } from "@nodewright/bitcoin-primitives";
import type { GuardedUpstream, Upstream } from "@nodewright/upstream";
import type { BitcoinSwitches } from "../configuration/start-options.ts";
import type { RunningNode } from "../gate/admission.ts";
import { createDamageList } from "./damage-list.ts";
import {
  emptyIndex,
  type IndexState,
  nextIndexState,
  problemOfBlocks,
  problemOfIndex,
  unavailableIndex,
} from "./index-state.ts";
import type { IndexHealth, RepairedBlock } from "./node-health.ts";
import { createReportNotifier } from "./node-report.ts";
import { connectToNodes, type UpstreamNodes } from "./upstream-nodes.ts";
import type { SupervisedNode } from "./node-status.ts";

/** Parts of a Bitcoin node that serve requests. */
export interface BitcoinServingNode extends RunningNode {
  readonly chain: "bitcoin";
  readonly network: Network;
  readonly queries: ChainQueries;
  /** Mempool; absent where nothing is unconfirmed, because the index has no upstream node. */
  readonly mempool?: MempoolQueries | undefined;
  /** Optional indexes. */
  readonly optional: OptionalIndexes;
  readonly upstream: Upstream | undefined;
  /** Whether block templates may be read. */
  readonly offersBlockTemplates: boolean;
}

/** A Bitcoin node of this process: an index that a child process writes, and its upstream node, if there is one. */
export interface BitcoinNode extends BitcoinServingNode, SupervisedNode {
  readonly chain: "bitcoin";
}

export interface BitcoinNodeOptions {
  readonly id: string;
  readonly network: Network;
  /** Directory of the index. It may not exist yet. */
  readonly directory: string;
  readonly source: SourceConfiguration;
  /** Upstream nodes of the index. */
  readonly nodes?: UpstreamNodes | undefined;
  readonly switches: BitcoinSwitches;
  /** Callback for events of the indexer, for the operator. */
  onEvent(event: IndexerEvent): void;
  /** Callback for the outcome of repairing each damaged block, for the operator. */
  onRepair(outcome: BlockRepairOutcome): void;
}

/** Maximum number of repaired blocks that are shown. */
const maximumRepaired = 100;

/** Milliseconds that a start waits for news of an index that is served anyway. */
const catchUpMilliseconds = 5_000;

/** File next to an index that once had all blocks of its source. */
const installedFile = "installed";

/**
 * Serves a chain from an index in `options.directory`. Throws `IndexerError` when there is one of another layout; a damaged one fails only
 * this node.
 */
export function createBitcoinNode(options: BitcoinNodeOptions): BitcoinNode {
  const { id, network, directory, source, nodes, switches } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { blockFilters, coinStatistics } = switches;
  const optional = { blockFilters, coinStatistics };
  let state: IndexState = { ...emptyIndex, served: existsSync(join(directory, installedFile)) };
  /** Returns the repair hint; an indexer that has failed repairs nothing. */
  const repairHint = (): string | undefined => (state.latest?.state === "failed" ? undefined : repairHintOf(source));
  const reader: ChainIndexReader = openChainIndex(directory, { network, optional, repairHint });
  const upstream: GuardedUpstream | undefined = nodes && connectToNodes(nodes, network);
  const repaired: RepairedBlock[] = [];
  let indexer: IndexerProcess | undefined;
  let isStopped = false;
  /** Reason why the index can't be read, as of the start. */
  let refusal: string | undefined;
  const problem = (): string | undefined => problemOfIndex(state) ?? refusal ?? problemOfBlocks(damage());
  const reports = createReportNotifier(() => ({
    chain: "bitcoin",
    id,
    network: network.name,
    directory,
    nodes,
    offersBlockTemplates: switches.blockTemplates,
    optional,
    index: state,
    repairHint: repairHint(),
  }));

  const damage = createDamageList({
    read: () => damagedBlocks(directory),
    stamp: () => damageStamp(directory),
  });
  const receiveRepair = (outcome: BlockRepairOutcome): void => {
    const { problem, ...block } = outcome;
    if (problem === undefined) {
      repaired.push({ ...block, repairedAt: Math.floor(Date.now() / 1_000) });
      if (repaired.length > maximumRepaired) repaired.shift();
    }
    options.onRepair(outcome);
  };
  const receive = (event: IndexerEvent, settled: () => void): void => {
    state = nextIndexState(state, event);
    if (event.state === "ready") recordInstalled(directory);
    reports.notify();
    options.onEvent(event);
    if (event.state !== "indexing" && (state.served || event.state === "failed")) settled();
  };
  return {
    id,
    chain: "bitcoin",
    network,
    queries: reader,
    mempool: upstream === undefined ? undefined : reader.mempool,
    optional: reader.optional,
    upstream,
    offersBlockTemplates: switches.blockTemplates,
    summary: () => renderSummary(network, state),
    problem,
    unavailable: () => unavailableIndex(state),
    health: async () => ({
      id,
      chain: "bitcoin",
      isServed: unavailableIndex(state) === undefined,
      ...present("problem", problem()),
      ...present("index", await indexHealth(state, reader, { damaged: damage(), repaired })),
      ...present("optionalIndexes", nonEmpty(indexer?.optional)),
      ...present("mempool", indexer?.mempool),
      ...present("secondsSinceResponse", secondsSince(indexer?.respondedAt)),
      ...present("upstreams", upstream?.nodes()),
    }),
    watch: reports.watch,
    async start() {
      // A marker without an index means that the index was removed.
      const tip = await reader.tip().catch((reason: unknown) => {
        if (!isIndexerError(reason)) throw reason;
        refusal = reason.message;
      });
      if (state.served && tip === undefined) {
        state = emptyIndex;
        reports.notify();
      }
      if (isStopped) return;
      await new Promise<void>((resolve) => {
        if (state.served) setTimeout(resolve, catchUpMilliseconds).unref();
        indexer = startIndexer({
          directory,
          network: network.name,
          source,
          addressSearch: switches.addressSearch,
          blocksInPlace: switches.blocksInPlace,
          optional,
          onEvent: (event) => receive(event, resolve),
          onRepair: receiveRepair,
        });
      });
    },
    async stop() {
      isStopped = true;
      await indexer?.stop();
      await upstream?.close();
      await reader.close();
    },
  };
}

async function indexHealth(
  { latest }: IndexState,
  reader: ChainQueries,
  { damaged, repaired }: { readonly damaged: readonly DamagedBlock[]; readonly repaired: readonly RepairedBlock[] },
): Promise<IndexHealth | undefined> {
  if (latest === undefined) return undefined;
  // An unreadable index is described by `latest`.
  const tip = await reader.tip().catch(() => undefined);
  const { state, reason, height, targetHeight, secondsLeft } = latest;
  return {
    state,
    ...present("reason", reason),
    height: tip?.height ?? height,
    targetHeight,
    ...present("lastBlockTime", tip?.header.time),
    ...present("secondsLeft", secondsLeft),
    ...present("damagedBlocks", nonEmpty(damaged)),
    ...present("repairedBlocks", nonEmpty(repaired)),
  };
}

function nonEmpty<Item>(list: readonly Item[] | undefined): readonly Item[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

function secondsSince(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.max(0, Math.round((Date.now() - milliseconds) / 1_000));
}

/** Returns a member that is present only if it has a value. */
function present<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Member in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Member in Name]: Value });
}

function recordInstalled(directory: string): void {
  try {
    writeFileSync(join(directory, installedFile), "");
  } catch {
    // On a full disk: the next start then waits for the indexer before it serves.
  }
}

function renderSummary(network: Network, { latest }: IndexState): string {
  if (latest === undefined || latest.height < 0) return network.name;
  return `${network.name}, blocks 0 to ${latest.height}`;
}
