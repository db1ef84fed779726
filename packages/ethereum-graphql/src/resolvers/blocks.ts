import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import { ServiceError } from "@nodewright/runtime";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "./parents.ts";
import type { NodeBlock } from "../node-values.ts";
import { quantity } from "../quantity.ts";
import { BlockValue, needsFullBlock } from "../values/block-value.ts";

/** `Query.blocks`. */
export const blocks: EthereumHandler<"blocks", EthereumContext, EthereumParents> = async (input, context, info) => {
  if (input.from === null || input.from === undefined) {
    throw new ServiceError("invalid_input", "The height of the first block, from, must be given");
  }
  const from = BigInt(input.from);
  const to = await findLastHeight(from, input.to, context);
  if (to === undefined) return [];
  const full = needsFullBlock(info);
  const heights = Array.from({ length: Number(to - from) + 1 }, (_, offset) => quantity(from + BigInt(offset)));
  const found = await Promise.all(heights.map((height) => context.blockByNumber(height, full)));
  return context.count(chainOf(found)).map((value) => BlockValue.of(value));
};

/** Undefined when the range lies beyond the head. */
async function findLastHeight(
  from: bigint,
  to: string | null | undefined,
  context: EthereumContext,
): Promise<bigint | undefined> {
  const limit = BigInt(context.node.limits.blocks);
  const isOpen = to === null || to === undefined;
  const asked = isOpen ? undefined : BigInt(to);
  if (asked !== undefined && from > asked) throw wrongRange();
  // A short range is cut at the first block that is not there, which spares asking for the head.
  if (asked !== undefined && asked - from < limit) return asked;
  const head = BigInt((await context.head()).number);
  if (isOpen && from > head) throw wrongRange();
  if (from > head) return undefined;
  const last = asked === undefined || asked > head ? head : asked;
  if (last - from >= limit) {
    throw new ServiceError("invalid_input", `The range of blocks is longer than ${limit}`);
  }
  return last;
}

function wrongRange(): ServiceError {
  return new ServiceError("invalid_input", "The first block of the range, from, comes after the last one");
}

/** The blocks up to the first that is not there. They were read by height, so a reorganisation in between shows in the links. */
function chainOf(found: readonly (NodeBlock | undefined)[]): readonly NodeBlock[] {
  const chain: NodeBlock[] = [];
  for (const next of found) {
    if (next === undefined) break;
    const previous = chain.at(-1);
    if (previous !== undefined && next.parentHash !== previous.hash) {
      throw new ServiceError("upstream_unavailable", "The chain was reorganised while it was read; ask again");
    }
    chain.push(next);
  }
  return chain;
}
