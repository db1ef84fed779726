import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import type { IndexRestContext } from "../context.ts";

/** The index keeps no addresses to search, which Esplora calls a search that is switched off. */
export const getAddressesByPrefix: IndexHandler<"getAddressesByPrefix", IndexRestContext> = () => {
  throw new ServiceError("invalid_input", "address search disabled");
};
