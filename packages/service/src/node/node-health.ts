import type { DamagedBlock, IndexerState, MempoolProgress, OptionalProgress } from "@nodewright/bitcoin-indexer";
import type { UpstreamNodeReport } from "@nodewright/upstream";
import type { Chain } from "../registry/registry.ts";

/** State of a node, for its operator: it may contain file names of this machine, and no secrets. */
export interface NodeHealth {
  readonly id: string;
  readonly chain: Chain;
  /** Whether its interfaces are available. */
  readonly isServed: boolean;
  /** Problem in one sentence; absent when all is well. */
  readonly problem?: string;
  /** Index of a Bitcoin node, after its indexer's first report. */
  readonly index?: IndexHealth;
  /** Optional indexes of a Bitcoin node, each after its first report. */
  readonly optionalIndexes?: readonly OptionalProgress[];
  /** Mempool of a Bitcoin node with an upstream node, once it was read. */
  readonly mempool?: MempoolProgress;
  /** Seconds since the last usable response of the upstream node; absent before that, and without a node. */
  readonly secondsSinceResponse?: number;
  /** Upstream nodes, as this process sees them. */
  readonly upstreams?: readonly UpstreamNodeReport[];
  /** Detected capabilities of an Ethereum node's clients, by methods' names; absent before their first response. */
  readonly capabilities?: Readonly<Record<string, boolean>>;
}

/** A block whose damage was repaired. */
export interface RepairedBlock extends Pick<DamagedBlock, "path" | "offset" | "reason"> {
  /** Time of the repair in seconds since 1970. */
  readonly repairedAt: number;
}

export interface IndexHealth {
  readonly state: IndexerState;
  readonly reason?: string;
  /** Height; -1 while there is no block. */
  readonly height: number;
  /** Height of the source's best known block; -1 while unknown. */
  readonly targetHeight: number;
  /** Time of the last block's header, in seconds since 1970. */
  readonly lastBlockTime?: number;
  readonly secondsLeft?: number;
  /** Blocks whose bytes differ from those that were indexed; absent when there are none. */
  readonly damagedBlocks?: readonly DamagedBlock[];
  /** Blocks that were damaged and have been repaired since the service was started, the last 100; absent when there are none. */
  readonly repairedBlocks?: readonly RepairedBlock[];
}
