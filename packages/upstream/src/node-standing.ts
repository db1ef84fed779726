/** Best block of a node. */
export interface Head {
  readonly hash: string;
  readonly height: number;
  /** Work of its chain; nodes that do not report it are compared by height. */
  readonly work?: bigint | undefined;
  /** Hash of the parent block, where the node reports it with the block. */
  readonly parentHash?: string | undefined;
}

/** Change of the head that results are based on. */
export interface HeadChange {
  readonly head: Head;
  /** Whether blocks of the previous chain are no longer in the chain, as far as that is known. */
  readonly isReorganisation: boolean;
}

/** State of a node's chain, as far as it is known. */
export interface HeardNode {
  /** Head of the node; `undefined` until its first response. */
  readonly head?: Head | undefined;
  /** Time of the last report of its head, in milliseconds. */
  readonly heardAt: number;
  /** Whether the last poll got no response. */
  readonly isLost: boolean;
  readonly isOtherNetwork: boolean;
  /** Whether the node runs other software than the others, so that it needs different requests. */
  readonly isOtherSoftware: boolean;
  /** Height before the node went back, until it reaches that again or enough time has passed. */
  readonly wentBackFrom?: number | undefined;
}

/**
 * Standing of a node, which decides whether calls may go to it: to the `well` nodes, and to the `unheard` ones while no node is `well`. All
 * others are excluded.
 */
export type NodeStanding = "well" | "unheard" | "lagging" | "forked" | "went-back" | "other-network" | "other-software";

export interface HeadFigures {
  /** Number of blocks beyond which a lagging node is excluded. */
  readonly maximumLag: number;
  /** Time in milliseconds after its last response for which the others are compared with the head of a node that is gone. */
  readonly goneMilliseconds: number;
}

/** Returns the node whose head is the reference for the others: the best one, of a node that did not go back where there is one. */
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
 * Returns the standing of one node relative to the reference. `isOnSameChain` indicates whether its head is on the reference's chain, as
 * far as that is known. A fork has lost when the reference has more work.
 */
export function computeStanding(
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

/** Returns whether a head has more work, or a greater height where one of them does not report its work. */
function isBetter(one: Head, other: Head): boolean {
  if (one.work !== undefined && other.work !== undefined) return one.work > other.work;
  return one.height > other.height;
}
