import type { ConformanceSuite, RpcSuite } from "@nodewright/conformance";

/** The suite, which is of JSON-RPC. Throws for another. */
export function rpcSuiteOf(suite: ConformanceSuite): RpcSuite {
  if (suite.protocol === "rpc") return suite;
  throw new Error(`${suite.title} is no suite of JSON-RPC`);
}
