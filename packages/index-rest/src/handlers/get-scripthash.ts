import type { IndexHandler } from "@nodewright/index-api/server";
import type { ScripthashStatistics } from "@nodewright/index-api/types";
import { PreparedJson } from "@nodewright/runtime";
import type { IndexRestContext } from "../request/context.ts";
import { readStatistics } from "../scripts/statistics.ts";

export const getScripthash: IndexHandler<"getScripthash", IndexRestContext> = async ({ scripthash }, context) => {
  const { headers, members } = await readStatistics(context, scripthash.toLowerCase());
  return {
    headers,
    body: new PreparedJson<ScripthashStatistics>(`{${members},"scripthash":${JSON.stringify(scripthash)}}`),
  };
};
