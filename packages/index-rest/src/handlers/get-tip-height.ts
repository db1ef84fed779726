import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { entityTag } from "../response/entity-tag.ts";
import { blockNotFound } from "../response/refusal.ts";

export const getTipHeight: IndexHandler<"getTipHeight", IndexRestContext> = async (_input, { index }) => {
  const height = await index.tipHeight();
  if (height === undefined) throw blockNotFound();
  return { headers: { cacheControl: cacheShort, eTag: entityTag(height) }, body: height };
};
