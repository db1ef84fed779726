/** The best block of a node. */
export interface Head {
  readonly hash: string;
  readonly height: number;
  /** Of its chain; nodes that don't tell are compared by height. */
  readonly work?: bigint | undefined;
  /** Where the node tells it with the block. */
  readonly parentHash?: string | undefined;
}

/** The head that answers are given by, told when it changes. */
export interface HeadChange {
  readonly head: Head;
  /** Whether blocks of the chain before are no longer in it, as far as that is known. */
  readonly isReorganisation: boolean;
}

/** What is known of a node's chain. */
export interface HeardNode {
  /** `undefined` until it has answered. */
  readonly head?: Head | undefined;
  /** When it has told its head last, in milliseconds. */
  readonly heardAt: number;
  /** It did not answer when it was asked last. */
  readonly isLost: boolean;
  readonly isOtherNetwork: boolean;
  /** Whether it runs another program than the others, so that it has to be asked in other words. */
  readonly isOtherSoftware: boolean;
  /** The height that it had before it went back, until it has that again or enough time has passed. */
  readonly wentBackFrom?: number | undefined;
}

/**
 * Whether calls may go to a node: to those that are `well`, and to the `unheard` ones while no node is. All others are left out.
 */
export type NodeStanding = "well" | "unheard" | "lagging" | "forked" | "went-back" | "other-network" | "other-software";

export interface HeadFigures {
  /** A node that is more blocks behind is left out. */
  readonly maximumLag: number;
  /** For so long after its last answer the others are measured by the head of a node that is gone. */
  readonly goneMilliseconds: number;
}

/** Decides by whose head the others are measured: the best one, of a node that did not go back where there is one. */
export function findReference<Node extends HeardNode>(
  nodes: readonly Node[],
  now: number,
  { goneMilliseconds }: Pick<HeadFigures, "goneMilliseconds">,
): (Node & { readonly head: Head }) | undefined {
  const known = nodes.filter((node): node is Node & { readonly head: Head } => {
    return node.head !== undefined && !node.isOtherNetwork && now - node.heardAt <= goneMilliseconds;
  });
  const steady = known.filter(({ wentBackFrom }) => wentBackFrom === undefined);
  let best: (Node & { readonly head: Head }) | undefined;
  for (const node of steady.length > 0 ? steady : known) {
    if (best === undefined || isBetter(node.head, best.head)) best = node;
  }
  return best;
}

/**
 * Judges one node by the reference. `isOnSameChain` says whether its head is of the reference's chain, as far as that is known: a fork
 * has lost when the reference has more work.
 */
export function judgeNode(
  node: HeardNode,
  reference: (HeardNode & { readonly head: Head }) | undefined,
  isOnSameChain: boolean | undefined,
  { maximumLag }: Pick<HeadFigures, "maximumLag">,
): NodeStanding {
  if (node.isOtherNetwork) return "other-network";
  if (node.isOtherSoftware) return "other-software";
  if (node.head === undefined || node.isLost) return "unheard";
  if (reference === undefined || reference === node || reference.head.hash === node.head.hash) return "well";
  if (node.wentBackFrom !== undefined && reference.wentBackFrom === undefined) return "went-back";
  if (reference.head.height - node.head.height > maximumLag) return "lagging";
  return isOnSameChain === false && isBetter(reference.head, node.head) ? "forked" : "well";
}

/** More work, or a greater height where one of them does not tell its work. */
function isBetter(one: Head, other: Head): boolean {
  if (one.work !== undefined && other.work !== undefined) return one.work > other.work;
  return one.height > other.height;
}
