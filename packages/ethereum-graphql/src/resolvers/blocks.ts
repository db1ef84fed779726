import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import { ServiceError } from "@nodewright/runtime";
import type { EthereumContext } from "../request/context.ts";
import { type PromiseOrValue, whenAll, whenResolved } from "../basics/promise-or-value.ts";
import type { EthereumParents } from "./parents.ts";
import type { NodeBlock } from "../results/node-values.ts";
import { quantity } from "../basics/quantity.ts";
import { rangeTooLong } from "../logs/range-too-long.ts";
import { BlockValue, blockNeeds } from "../values/block-value.ts";
import { reorganised } from "../basics/unexpected-result.ts";

/** Number of heights that are fetched whether or not the chain reaches them. */
const shortRange = 64n;

/** Resolver of `Query.blocks`. */
export const blocks: EthereumHandler<"blocks", EthereumContext, EthereumParents> = (input, context, info) => {
  if (input.from === null || input.from === undefined) {
    throw new ServiceError("invalid_input", "The height of the first block, from, must be given");
  }
  const from = BigInt(input.from);
  return whenResolved(findLastHeight(from, input.to, context), (to) =>
    to === undefined ? [] : readRange(from, to, blockNeeds(info).full, context),
  );
};

function readRange(from: bigint, to: bigint, full: boolean, context: EthereumContext): PromiseOrValue<BlockValue[]> {
  const found = Array.from({ length: Number(to - from) + 1 }, (_, offset) =>
    context.blockByNumber(quantity(from + BigInt(offset)), full),
  );
  return whenResolved(whenAll(found), (all) => {
    const chain = chainOf(all);
    const values = context.count(chain).map(BlockValue.of);
    if (chain.length === all.length) return values;
    return whenResolved(context.assertBeyondHead(quantity(from + BigInt(chain.length))), () => values);
  });
}

/** Returns the last height; undefined when the range lies beyond the head. */
function findLastHeight(
  from: bigint,
  to: string | null | undefined,
  context: EthereumContext,
): PromiseOrValue<bigint | undefined> {
  const limit = BigInt(context.limits.blocks);
  const isOpen = to === null || to === undefined;
  const requested = isOpen ? undefined : BigInt(to);
  if (requested !== undefined && from > requested) throw invalidRange();
  // A short range is cut at the first missing block, which saves a fetch of the head.
  if (requested !== undefined && requested - from < shortRange && requested - from < limit) return requested;
  return whenResolved(context.head(), ({ number }) => {
    const head = BigInt(number);
    if (isOpen && from > head) throw invalidRange();
    if (from > head) return undefined;
    const last = requested === undefined || requested > head ? head : requested;
    if (last - from < limit) return last;
    throw rangeTooLong("blocks", Number(limit), last - from + 1n);
  });
}

function invalidRange(): ServiceError {
  return new ServiceError("invalid_input", "The first block of the range, from, comes after the last one");
}

/** Returns the blocks up to the first missing one. They were read by height, so a reorganization in between is visible in the links. */
function chainOf(found: readonly (NodeBlock | undefined)[]): readonly NodeBlock[] {
  const chain: NodeBlock[] = [];
  for (const [position, next] of found.entries()) {
    if (next === undefined) continue;
    const previous = chain.at(-1);
    if (position > chain.length || (previous !== undefined && next.parentHash !== previous.hash)) throw reorganised();
    chain.push(next);
  }
  return chain;
}
