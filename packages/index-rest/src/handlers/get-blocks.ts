import type { IndexHandler } from "@nodewright/index-api/server";
import { respondWithBlocks } from "../block-page.ts";
import type { IndexRestContext } from "../context.ts";

export const getBlocks: IndexHandler<"getBlocks", IndexRestContext> = (_input, { index }) => respondWithBlocks(index);
