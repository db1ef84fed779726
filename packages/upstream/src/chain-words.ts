import type { Head } from "./head-judgement.ts";

/** Asks the node that is looked at. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** What tells a chain from others. What is not known of both is not compared. */
export interface ChainIdentity {
  /** Hexadecimal, as Ethereum's nodes write it. */
  readonly chainId?: string | undefined;
  readonly genesisHash?: string | undefined;
}

/** The program that a node runs. */
export interface NodeSoftware {
  /** As the node writes it. */
  readonly version?: string | undefined;
  /** Programs of one family are asked in the same words; absent where that makes no difference. */
  readonly family?: string | undefined;
}

/** The words in which the nodes of one kind of chain are asked for what they are judged by. */
export interface ChainWords {
  /** The best block. `known` is what the node has told before. */
  askHead(ask: Ask, known: Head | undefined): Promise<Head>;
  /** Whether a block is of the node's best chain. */
  askIsOnChain(ask: Ask, block: Head): Promise<boolean>;
  askChain(ask: Ask): Promise<ChainIdentity>;
  askSoftware(ask: Ask): Promise<NodeSoftware>;
  /** Whether to ask for the software of a node that stands alone. */
  readonly asksSoftwareOfOne: boolean;
}

export function isSameChain(one: ChainIdentity, other: ChainIdentity): boolean {
  return isSame(one.chainId, other.chainId) && isSame(one.genesisHash, other.genesisHash);
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
