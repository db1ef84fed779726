import { ServiceError } from "@nodewright/runtime";
import type { BitcoinNodeContext } from "../context/context.ts";

const ownNodesOnly = "It acts on the node itself, and can be enabled on a node of your own only";

/**
 * Rejects calls that act on the node itself, unless the node is the client's own and its owner has enabled the method.
 *
 * The gate has rejected them before; this check applies to a handler that is called without a gate.
 */
export function assertMayControl({ isShared, methodAccess }: BitcoinNodeContext, method: string): void {
  if (!isShared && methodAccess.isEnabled(method)) return;
  const enable = isShared ? ownNodesOnly : methodAccess.enableHint;
  throw new ServiceError("method_disabled", `The method ${method} is disabled for this subscription`, {
    details: { reason: "method-disabled", method, enable },
  });
}
