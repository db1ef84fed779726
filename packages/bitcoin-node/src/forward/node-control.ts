import { ServiceError } from "@nodewright/runtime";
import type { BitcoinNodeContext } from "../context.ts";

const ownNodesOnly = "It acts on the node itself, and can be enabled on a node of your own only";

/**
 * Refuses what acts on the node itself, unless the node is the caller's own and its owner has enabled the method.
 *
 * The gate has refused it before; this holds for whoever calls a handler without a gate.
 */
export function assertMayControl({ isShared, methodAccess }: BitcoinNodeContext, method: string): void {
  if (!isShared && methodAccess.isEnabled(method)) return;
  const enable = isShared ? ownNodesOnly : methodAccess.enableHint;
  throw new ServiceError("method_disabled", `The method ${method} is disabled for this subscription`, {
    details: { reason: "method-disabled", method, enable },
  });
}
