import { ServiceError } from "@nodewright/runtime";
import type { ApiHandler } from "api/server";
import type { Context } from "../context.ts";

/** What an address holds. */
export const getbalance: ApiHandler<"getbalance", Context> = () => {
  throw new ServiceError("not_implemented", "getbalance is not implemented");
};
