import type { Head } from "./node-standing.ts";

/** Function that calls the node under inspection. */
export type CallNode = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Properties that distinguish a chain from others. A property that is not known of both is not compared. */
export interface ChainIdentity {
  /** Hexadecimal, as Ethereum nodes write it. */
  readonly chainId?: string | undefined;
  readonly genesisHash?: string | undefined;
}

/** Software that a node runs. */
export interface NodeSoftware {
  /** Version as the node writes it. */
  readonly version?: string | undefined;
  /** Family of programs that take the same requests; absent where that makes no difference. */
  readonly family?: string | undefined;
}

/** Requests with which the nodes of one kind of chain are inspected. */
export interface ChainMethods {
  /** Returns the best block. `known` is the head that the node has reported before. */
  fetchHead(callNode: CallNode, known: Head | undefined): Promise<Head>;
  /** Returns whether a block is on the node's best chain. */
  fetchIsOnChain(callNode: CallNode, block: Head): Promise<boolean>;
  fetchChain(callNode: CallNode): Promise<ChainIdentity>;
  fetchSoftware(callNode: CallNode): Promise<NodeSoftware>;
  /** Whether to query the software of a node that is the only one. */
  readonly needsSoftwareOfOne: boolean;
}

export function isSameChain(one: ChainIdentity, other: ChainIdentity): boolean {
  return isSame(one.chainId, other.chainId) && isSame(one.genesisHash, other.genesisHash);
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
