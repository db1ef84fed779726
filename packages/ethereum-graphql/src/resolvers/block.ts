import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { BlockInput } from "@nodewright/ethereum-api/types";
import { ServiceError } from "@nodewright/runtime";
import type { EthereumContext } from "../request/context.ts";
import { type PromiseOrValue, whenResolved } from "../basics/promise-or-value.ts";
import type { EthereumParents } from "./parents.ts";
import { isFull, type NodeBlock } from "../results/node-values.ts";
import { type BlockNeeds, BlockValue, blockNeeds, loadBlock } from "../values/block-value.ts";

/** Resolver of `Query.block`. */
export const block: EthereumHandler<"block", EthereumContext, EthereumParents> = (input, context, info) =>
  whenResolved(findBlock(input, context, blockNeeds(info)), BlockValue.of);

function findBlock(
  { number, hash }: BlockInput,
  context: EthereumContext,
  needs: BlockNeeds,
): PromiseOrValue<NodeBlock> {
  const byNumber = number !== null && number !== undefined;
  const byHash = hash !== null && hash !== undefined;
  if (byNumber && byHash) throw new ServiceError("invalid_input", "Only one of number and hash may be given");
  if (byNumber) return context.getBlockByNumber(number, needs.full);
  if (byHash) return context.getBlockByHash(hash, needs.full);
  return whenResolved(context.head(), (head) =>
    needs.full && !isFull(head) ? loadBlock(head.hash, needs, context) : head,
  );
}
