import type { IndexHandler } from "@nodewright/index-api/server";
import { isServiceError } from "@nodewright/runtime";
import { noNode, refusalOfNode } from "../transactions/broadcast.ts";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { assertPackage } from "../transactions/transaction-package.ts";

export const testTransactions: IndexHandler<"testTransactions", IndexRestContext> = async (
  { body, maxfeerate },
  { testTransactions: test },
) => {
  assertPackage(body);
  if (test === undefined) throw noNode();
  try {
    return { headers: { cacheControl: cacheShort }, body: await test(body, maxfeerate) };
  } catch (reason) {
    if (!isServiceError(reason) || reason.code !== "invalid_input") throw reason;
    throw refusalOfNode("testmempoolaccept", reason.rpcCode, reason.message);
  }
};
