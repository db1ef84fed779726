import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";

/** The mempool of an index without one is empty. */
export const getMempoolRecent: IndexHandler<"getMempoolRecent", IndexRestContext> = () => {
  return { headers: { cacheControl: "public, max-age=5" }, body: [] };
};
