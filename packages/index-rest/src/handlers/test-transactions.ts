import type { IndexHandler } from "@nodewright/index-api/server";
import { isTestResults } from "@nodewright/index-api/validators";
import { callNode, unusableAnswer } from "../broadcast.ts";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { assertPackage } from "../transaction-package.ts";

const method = "testmempoolaccept";

export const testTransactions: IndexHandler<"testTransactions", IndexRestContext> = async (
  { body, maxfeerate },
  { upstream },
) => {
  assertPackage(body);
  const result = await callNode(upstream, method, maxfeerate === undefined ? [body] : [body, maxfeerate]);
  return isTestResults(result) ? { headers: { cacheControl: cacheShort }, body: result } : unusableAnswer(method);
};
