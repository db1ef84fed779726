import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";

/** Maximum number of addresses, Esplora's. */
const maximumAddresses = 10;

export const getAddressesByPrefix: IndexHandler<"getAddressesByPrefix", IndexRestContext> = async (
  { prefix },
  { index },
) => {
  const body = await index.addressesByPrefix(prefix, maximumAddresses);
  if (body === undefined) throw new ServiceError("invalid_input", "address search disabled");
  return { headers: { cacheControl: cacheShort, eTag: hashedEntityTag(body) }, body };
};
