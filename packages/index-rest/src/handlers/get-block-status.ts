import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { renderBlockStatus } from "../render/block.ts";

export const getBlockStatus: IndexHandler<"getBlockStatus", IndexRestContext> = async ({ hash }, { index }) => {
  const [record, tipHeight] = await Promise.all([index.blockByHash(hash.toLowerCase()), index.tipHeight()]);
  const status = renderBlockStatus(record);
  return { headers: { cacheControl: cacheByDepth(tipHeight, status.height ?? undefined) }, body: status };
};
