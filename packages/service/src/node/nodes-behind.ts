import type { Network } from "@nodewright/bitcoin-primitives";
import { createGuardedUpstream, type GuardedUpstream } from "@nodewright/upstream";
import type { NodeAddress, NodeGuard } from "../command/start-options.ts";

/** The nodes behind an index, as plain data. It may hold credentials. */
export interface NodesBehind {
  /** At least one. */
  readonly addresses: readonly NodeAddress[];
  readonly guard: NodeGuard;
}

/** Connects to the nodes behind an index of `network`. */
export function connectToNodes({ addresses, guard }: NodesBehind, network: Network): GuardedUpstream {
  const { maximumLag, connections, failures, restMilliseconds, hedgesReads } = guard;
  return createGuardedUpstream({
    nodes: addresses.map((address) => ({ ...address, connections })),
    heads: { genesisHash: network.genesisHash, maximumLag },
    breaker: {
      ...(failures === undefined ? {} : { failures }),
      ...(restMilliseconds === undefined ? {} : { restMilliseconds }),
    },
    isHedging: hedgesReads,
  });
}
