import type { EthereumContext } from "../request/context.ts";
import type { NodeBlock, NodeHeader } from "../results/node-values.ts";
import { quantity } from "../basics/quantity.ts";
import { hasForms } from "../results/response-forms.ts";
import { headerForms } from "../results/object-forms.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/**
 * Reads the header of a block's ommer, by its position. Null when there is none there, or the node has not retained it.
 *
 * Throws `upstream_unavailable` for another header than the block refers to.
 */
export async function readOmmer(
  { hash, uncles }: Pick<NodeBlock, "hash" | "uncles">,
  position: number,
  context: EthereumContext,
): Promise<NodeHeader | null> {
  const named = uncles[position];
  if (named === undefined) return null;
  const header = (await context.read("eth_getUncleByBlockHashAndIndex", [
    hash,
    quantity(position),
  ])) as NodeHeader | null;
  if (header === null || (hasForms(header, headerForms) && header.hash === named)) return header;
  throw unexpectedResult("an ommer that the block does not name");
}
