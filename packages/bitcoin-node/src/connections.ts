import { ServiceError } from "@nodewright/runtime";
import type { Upstream } from "@nodewright/upstream";

/** Peers of the node behind the index; 0 without one. Throws what the upstream throws. */
export async function countConnections(upstream: Upstream | undefined): Promise<number> {
  if (upstream === undefined) return 0;
  const count = await upstream.call("getconnectioncount");
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  throw new ServiceError("upstream_unavailable", "The node behind the index has given no number of connections");
}
