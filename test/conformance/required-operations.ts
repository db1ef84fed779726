import type { ConformanceSuite } from "@nodewright/conformance";

/** REST paths below these are answered by every Bitcoin node; the others may still say that they are not implemented. */
const requiredPaths: readonly RegExp[] = [
  /^\/tx\/\{[a-z]+\}(?:\/(?:status|hex|raw|outspend\/\{[a-z]+\}|outspends|merkle-proof))?$/,
  /^\/(?:address|scripthash)\/\{[a-z]+\}(?:\/.*)?$/,
  /^\/blocks?(?:\/|$)/,
  /^\/block-height\//,
  /^\/fee-estimates$/,
  /^\/mempool(?:\/|$)/,
];

/** JSON-RPC methods that answer on every Bitcoin node, also without a node behind it. */
const requiredMethods: ReadonlySet<string> = new Set([
  "getbestblockhash",
  "getblock",
  "getblockcount",
  "getblockhash",
  "getblockheader",
  "getdifficulty",
  "getinfo",
  "getnettotals",
  "getnetworkhashps",
  "getrawmempool",
  "getrawtransaction",
  "help",
]);

/** Names of the operations that may be answered 501 or -32601. */
export function optionalOperations(suite: ConformanceSuite): readonly string[] {
  if (suite.protocol === "graphql") return [];
  if (suite.protocol === "rpc") {
    return suite.operations.flatMap(({ operation }) => (requiredMethods.has(operation.method) ? [] : [operation.name]));
  }
  return suite.operations.flatMap(({ operation }) =>
    requiredPaths.some((pattern) => pattern.test(operation.path)) ? [] : [operation.name],
  );
}
