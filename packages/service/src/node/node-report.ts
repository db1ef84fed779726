import type { OptionalIndexSelection } from "@nodewright/bitcoin-indexer";
import type { NetworkName } from "@nodewright/bitcoin-primitives";
import type { IndexState } from "./index-state.ts";
import type { ExecutionClients, UpstreamNodes } from "./upstream-nodes.ts";

/**
 * Data that a process needs to serve a node that another process runs. It may contain credentials: it is sent only between our processes.
 */
export type NodeReport = BitcoinReport | EthereumReport;

export interface BitcoinReport {
  readonly chain: "bitcoin";
  readonly id: string;
  readonly network: NetworkName;
  /** Directory of the index. */
  readonly directory: string;
  /** Upstream nodes of the index. */
  readonly nodes?: UpstreamNodes | undefined;
  readonly offersBlockTemplates: boolean;
  /** Selected optional indexes. */
  readonly optional: OptionalIndexSelection;
  readonly index: IndexState;
  /** Description of how damaged blocks are repaired; absent when nothing repairs them. */
  readonly repairHint?: string | undefined;
}

export interface EthereumReport {
  readonly chain: "ethereum";
  readonly id: string;
  /** Clients; absent while there are none. */
  readonly clients?: ExecutionClients | undefined;
  /** Reason why there is none. */
  readonly problem?: string | undefined;
}

/** Notifier of a node's changes. */
export interface ReportNotifier {
  watch(listener: (report: NodeReport) => void): void;
  /** Signals a change. */
  notify(): void;
}

/** Creates a notifier that reports at once to a new watcher, and each change to all of them. */
export function createReportNotifier(report: () => NodeReport): ReportNotifier {
  const listeners: ((report: NodeReport) => void)[] = [];
  return {
    watch(listener) {
      listeners.push(listener);
      listener(report());
    },
    notify() {
      for (const listener of listeners) listener(report());
    },
  };
}
