import { ServiceError } from "@nodewright/runtime";
import type { ApiHandler } from "api/server";
import type { Context } from "../context.ts";

/** Handles Query.records. */
export const records: ApiHandler<"records", Context> = () => {
  throw new ServiceError("not_implemented", "Query.records is not implemented");
};
