import type { RunningNode } from "../gate/admission.ts";
import type { NodeHealth } from "./node-health.ts";
import type { NodeReport } from "./node-report.ts";

/** A node of this process, with the facts that its operator needs. */
export interface SupervisedNode extends RunningNode {
  /** Returns a summary, for example `mainnet, blocks 0 to 14131`. */
  summary(): string;
  /** Returns one sentence about what keeps the node from serving everything; `undefined` when all is well. */
  problem(): string | undefined;
  /** Returns all facts for its operator. */
  health(): Promise<NodeHealth>;
  /** Passes to `listener`, now and with each change, the data that another process needs to serve the node. */
  watch(listener: (report: NodeReport) => void): void;
  /** Starts what the node needs. Resolves when its interfaces are available, or when it is certain that they can't be. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
