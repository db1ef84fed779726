import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { BlockInput } from "@nodewright/ethereum-api/types";
import { ServiceError } from "@nodewright/runtime";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "./parents.ts";
import type { NodeBlock } from "../node-values.ts";
import { BlockValue, needsFullBlock } from "../values/block-value.ts";

/** `Query.block`. */
export const block: EthereumHandler<"block", EthereumContext, EthereumParents> = async (input, context, info) => {
  return BlockValue.of(await findBlock(input, context, needsFullBlock(info)));
};

async function findBlock({ number, hash }: BlockInput, context: EthereumContext, full: boolean): Promise<NodeBlock> {
  const byNumber = number !== null && number !== undefined;
  const byHash = hash !== null && hash !== undefined;
  if (byNumber && byHash) throw new ServiceError("invalid_input", "Only one of number and hash may be given");
  if (byNumber) return await context.getBlockByNumber(number, full);
  if (byHash) return await context.getBlockByHash(hash, full);
  return await context.head(full);
}
