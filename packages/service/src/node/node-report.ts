import type { OptionalIndexChoice } from "@nodewright/bitcoin-indexer";
import type { NetworkName } from "@nodewright/bitcoin-primitives";
import type { IndexState } from "./index-state.ts";
import type { ExecutionClients, NodesBehind } from "./nodes-behind.ts";

/**
 * What a process has to know to answer for a node that another process runs. It may hold credentials: it goes from process to
 * process of ours and nowhere else.
 */
export type NodeReport = BitcoinReport | EthereumReport;

export interface BitcoinReport {
  readonly chain: "bitcoin";
  readonly id: string;
  readonly network: NetworkName;
  /** Where the index stands. */
  readonly directory: string;
  /** The nodes behind the index. */
  readonly nodes?: NodesBehind | undefined;
  readonly offersBlockTemplates: boolean;
  /** What is kept beside the index. */
  readonly optional: OptionalIndexChoice;
  readonly index: IndexState;
  /** How damaged blocks are repaired; absent when nothing repairs them. */
  readonly repairHint?: string | undefined;
}

export interface EthereumReport {
  readonly chain: "ethereum";
  readonly id: string;
  /** Absent while there is none. */
  readonly clients?: ExecutionClients | undefined;
  /** Why there is none. */
  readonly problem?: string | undefined;
}

/** Keeps who is to be told of a node's changes. */
export interface ReportTeller {
  watch(listener: (report: NodeReport) => void): void;
  /** Says that something has changed. */
  tell(): void;
}

/** Tells at once who begins to watch, and all that watch of each change. */
export function createReportTeller(report: () => NodeReport): ReportTeller {
  const listeners: ((report: NodeReport) => void)[] = [];
  return {
    watch(listener) {
      listeners.push(listener);
      listener(report());
    },
    tell() {
      for (const listener of listeners) listener(report());
    },
  };
}
