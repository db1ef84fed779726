import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { entityTag } from "../response/entity-tag.ts";
import { blockNotFound } from "../response/refusal.ts";

export const getTipHash: IndexHandler<"getTipHash", IndexRestContext> = async (_input, { index }) => {
  const tip = await index.tip();
  if (tip === undefined) throw blockNotFound();
  return { headers: { cacheControl: cacheShort, eTag: entityTag(tip.hash) }, body: tip.hash };
};
