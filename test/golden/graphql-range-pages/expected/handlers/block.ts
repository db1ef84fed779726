import { ServiceError } from "@nodewright/runtime";
import type { ApiHandler } from "api/server";
import type { Context } from "../context.ts";

/** Handles Query.block. */
export const block: ApiHandler<"block", Context> = () => {
  throw new ServiceError("not_implemented", "Query.block is not implemented");
};
