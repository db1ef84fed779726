import type { Network } from "@nodewright/bitcoin-primitives";
import { createEthereumNode, type EthereumNode as ExecutionClient } from "@nodewright/ethereum-graphql";
import {
  createGuardedUpstream,
  type GuardedUpstream,
  type GuardedUpstreamOptions,
  type Upstream,
} from "@nodewright/upstream";
import type { NodeAddress, NodeGuard } from "../command/start-options.ts";

/** The nodes behind an index, as plain data. It may hold credentials. */
export interface NodesBehind {
  /** At least one. */
  readonly addresses: readonly NodeAddress[];
  readonly guard: NodeGuard;
}

/** The execution clients behind an Ethereum node, as plain data. It may hold credentials. */
export interface ExecutionClients extends NodesBehind {
  /** Hexadecimal; without it, that of the first that answers. */
  readonly chainId?: string | undefined;
  /** Most calls in one request. Absent: as the upstream has it. */
  readonly batchLimit?: number | undefined;
  /** What is answered where a client tells none. */
  readonly protocolVersion?: number | undefined;
  /** Of memory for what is kept of the chain, in MB of 10^6 bytes. Absent: as the interface has it. */
  readonly cacheMegabytes?: number | undefined;
}

/** Connects to the nodes behind an index of `network`. */
export function connectToNodes(nodes: NodesBehind, network: Network): GuardedUpstream {
  const { guard, addresses } = nodes;
  return createGuardedUpstream({
    nodes: addresses.map((address) => ({ ...address, connections: guard.connections })),
    heads: { genesisHash: network.genesisHash, maximumLag: guard.maximumLag },
    ...protection(guard),
  });
}

export function connectToClients({ addresses, guard, chainId, batchLimit }: ExecutionClients): GuardedUpstream {
  return createGuardedUpstream({
    nodes: addresses.map((address) => ({ ...address, connections: guard.connections, batchLimit })),
    heads: { words: "ethereum", chainId, maximumLag: guard.maximumLag },
    ...protection(guard),
  });
}

/** What answers requests about the chain of `upstream`. */
export function createExecutionClient(
  upstream: Upstream,
  { protocolVersion, cacheMegabytes }: ExecutionClients,
): ExecutionClient {
  const cacheBytes = cacheMegabytes === undefined ? undefined : cacheMegabytes * 1e6;
  return createEthereumNode(upstream, { protocolVersion, cacheBytes });
}

function protection(guard: NodeGuard): Pick<GuardedUpstreamOptions, "breaker" | "isHedging"> {
  const { failures, restMilliseconds, hedgesReads } = guard;
  return {
    breaker: {
      ...(failures === undefined ? {} : { failures }),
      ...(restMilliseconds === undefined ? {} : { restMilliseconds }),
    },
    isHedging: hedgesReads,
  };
}
