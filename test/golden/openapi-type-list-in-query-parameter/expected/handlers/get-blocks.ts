import { ServiceError } from "@nodewright/runtime";
import type { ApiHandler } from "api/server";
import type { Context } from "../context.ts";

/** Blocks from a height or a tag. */
export const getBlocks: ApiHandler<"getBlocks", Context> = () => {
  throw new ServiceError("not_implemented", "GET /blocks is not implemented");
};
