import type { IndexHandler } from "@nodewright/index-api/server";
import { getBestChainBlock } from "../blocks/best-chain-block.ts";
import type { IndexRestContext } from "../request/context.ts";
import { blockNotFound } from "../response/refusal.ts";

export const getBlockRaw: IndexHandler<"getBlockRaw", IndexRestContext> = async ({ hash }, { index }) => {
  const { record, headers } = await getBestChainBlock(index, hash);
  const bytes = await index.rawBlock(record.hash);
  if (bytes === undefined) throw blockNotFound();
  return { headers, body: bytes };
};
