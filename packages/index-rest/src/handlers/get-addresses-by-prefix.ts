import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { digestTag } from "../entity-tag.ts";

/** Esplora's number. */
const mostAddresses = 10;

export const getAddressesByPrefix: IndexHandler<"getAddressesByPrefix", IndexRestContext> = async (
  { prefix },
  { addressSearch },
) => {
  if (addressSearch === undefined) throw new ServiceError("invalid_input", "address search disabled");
  const body = await addressSearch.findAddresses(prefix, mostAddresses);
  return { headers: { cacheControl: cacheShort, eTag: digestTag(body) }, body };
};
