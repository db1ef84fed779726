import type { DamagedBlock, IndexerState, MempoolProgress, OptionalProgress } from "@nodewright/bitcoin-indexer";
import type { UpstreamNodeReport } from "@nodewright/upstream";
import type { Chain } from "../registry/registry.ts";

/** How a node is, for its operator: it may name files of this machine, and no secrets. */
export interface NodeHealth {
  readonly id: string;
  readonly chain: Chain;
  /** Whether its interfaces answer. */
  readonly isServed: boolean;
  /** One sentence; absent when all is well. */
  readonly problem?: string;
  /** Of a Bitcoin node, once its indexer has told. */
  readonly index?: IndexHealth;
  /** Of a Bitcoin node, what is kept beside its index, each once it has told. */
  readonly optionalIndexes?: readonly OptionalProgress[];
  /** Of a Bitcoin node with a node behind it, once its mempool was read. */
  readonly mempool?: MempoolProgress;
  /** Since the node behind it gave the last usable answer; absent before that, and without a node. */
  readonly secondsSinceAnswer?: number;
  /** The nodes behind it, as this process sees them. */
  readonly upstreams?: readonly UpstreamNodeReport[];
  /** What the clients behind an Ethereum node were found to have, by methods' names; absent before they have answered. */
  readonly capabilities?: Readonly<Record<string, boolean>>;
}

/** A block whose damage was repaired. */
export interface RepairedBlock extends Pick<DamagedBlock, "path" | "offset" | "reason"> {
  /** In seconds since 1970. */
  readonly repairedAt: number;
}

export interface IndexHealth {
  readonly state: IndexerState;
  readonly reason?: string;
  /** -1 while there is no block. */
  readonly height: number;
  /** Of the best block that the source is known to have; -1 while unknown. */
  readonly targetHeight: number;
  /** As its header says, in seconds since 1970. */
  readonly lastBlockTime?: number;
  readonly secondsLeft?: number;
  /** Blocks whose bytes were found to be others than those that were indexed; absent when there are none. */
  readonly damagedBlocks?: readonly DamagedBlock[];
  /** Blocks that were damaged and are sound again since the service was started, the last 100; absent when there are none. */
  readonly repairedBlocks?: readonly RepairedBlock[];
}
