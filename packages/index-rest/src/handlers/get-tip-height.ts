import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { entityTag } from "../entity-tag.ts";
import { blockNotFound } from "../refusal.ts";

export const getTipHeight: IndexHandler<"getTipHeight", IndexRestContext> = async (_input, { index }) => {
  const height = await index.tipHeight();
  if (height === undefined) throw blockNotFound();
  return { headers: { cacheControl: cacheShort, eTag: entityTag(height) }, body: height };
};
