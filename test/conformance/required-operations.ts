import type { ConformanceSuite, RpcSuite } from "@nodewright/conformance";

/** REST paths below these are answered by every Bitcoin node; the others may still say that they are not implemented. */
const requiredPaths: readonly RegExp[] = [
  /^\/tx\/\{[a-z]+\}(?:\/(?:status|hex|raw|outspend\/\{[a-z]+\}|outspends|merkle-proof))?$/,
  /^\/(?:address|scripthash)\/\{[a-z]+\}(?:\/.*)?$/,
  /^\/blocks?(?:\/|$)/,
  /^\/block-height\//,
  /^\/fee-estimates$/,
  /^\/mempool(?:\/|$)/,
];

/**
 * Names of the operations that may be answered 501 or -32601 where no node stands behind the index. JSON-RPC methods that are served by
 * the index are none of them.
 */
export function operationsOfNode(suite: ConformanceSuite): readonly string[] {
  if (suite.protocol === "graphql") return [];
  if (suite.protocol === "rpc") {
    return suite.operations.flatMap(({ name, extensions }) => (extensions.servedBy === "index" ? [] : [name]));
  }
  return suite.operations.flatMap(({ name, path }) =>
    requiredPaths.some((pattern) => pattern.test(path)) ? [] : [name],
  );
}

/** The methods that somebody has to enable, and can: what acts on the node itself is off on a shared node, whoever asks for it. */
export function methodsToEnable({ operations }: RpcSuite): readonly string[] {
  return operations.flatMap(({ method, extensions }) =>
    extensions.disabledByDefault && !extensions.nodeControl ? [method] : [],
  );
}

/** The methods that are off until somebody enables them, or for good. */
export function methodsOff({ operations }: RpcSuite): readonly string[] {
  return operations.flatMap(({ method, extensions }) =>
    extensions.disabledByDefault || extensions.nodeControl ? [method] : [],
  );
}
