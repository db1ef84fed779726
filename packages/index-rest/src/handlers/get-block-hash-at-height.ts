import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { entityTag } from "../response/entity-tag.ts";
import { blockNotFound } from "../response/refusal.ts";

export const getBlockHashAtHeight: IndexHandler<"getBlockHashAtHeight", IndexRestContext> = async (
  { height },
  { index },
) => {
  const [record, tipHeight] = await Promise.all([index.blockByHeight(height), index.tipHeight()]);
  if (record === undefined) throw blockNotFound();
  const headers = { cacheControl: cacheByDepth(tipHeight, height), eTag: entityTag(record.hash) };
  return { headers, body: record.hash };
};
