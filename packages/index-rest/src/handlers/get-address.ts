import type { IndexHandler } from "@nodewright/index-api/server";
import type { AddressStatistics } from "@nodewright/index-api/types";
import { PreparedJson } from "@nodewright/runtime";
import type { IndexRestContext } from "../request/context.ts";
import { scriptHashOfAddress } from "../scripts/script-hash.ts";
import { readStatistics } from "../scripts/statistics.ts";

export const getAddress: IndexHandler<"getAddress", IndexRestContext> = async ({ address }, context) => {
  const { headers, members } = await readStatistics(context, scriptHashOfAddress(address, context.index.network));
  return { headers, body: new PreparedJson<AddressStatistics>(`{"address":${JSON.stringify(address)},${members}}`) };
};
