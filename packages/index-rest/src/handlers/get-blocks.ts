import type { IndexHandler } from "@nodewright/index-api/server";
import { listBlocks } from "../block-page.ts";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";

export const getBlocks: IndexHandler<"getBlocks", IndexRestContext> = async (_input, { index }) => {
  return { headers: { cacheControl: cacheShort }, body: await listBlocks(index) };
};
