import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { entityTag } from "../response/entity-tag.ts";
import { renderBlockStatus } from "../render/block.ts";

export const getBlockStatus: IndexHandler<"getBlockStatus", IndexRestContext> = async ({ hash }, { index }) => {
  const [record, tipHeight] = await Promise.all([index.blockByHash(hash.toLowerCase()), index.tipHeight()]);
  const status = renderBlockStatus(record);
  const place = status.in_best_chain ? (status.next_best ?? "tip") : "elsewhere";
  const headers = { cacheControl: cacheByDepth(tipHeight, status.height ?? undefined), eTag: entityTag(place) };
  return { headers, body: status };
};
