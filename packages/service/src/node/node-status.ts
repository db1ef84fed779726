import type { RunningNode } from "../gate/admission.ts";
import type { NodeHealth } from "./node-health.ts";
import type { NodeReport } from "./node-report.ts";

/** A node of this process, with what its operator wants to know. */
export interface SupervisedNode extends RunningNode {
  /** For example `mainnet, blocks 0 to 14131`. */
  summary(): string;
  /** One sentence about what keeps the node from serving everything; `undefined` when all is well. */
  problem(): string | undefined;
  /** All that its operator may want to know. */
  health(): Promise<NodeHealth>;
  /** Tells `listener`, now and with each change, what another process needs to know to answer for the node. */
  watch(listener: (report: NodeReport) => void): void;
  /** Starts what the node needs. Resolves when its interfaces answer, or when it is certain that they can't. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
