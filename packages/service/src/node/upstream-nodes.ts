import type { Network } from "@nodewright/bitcoin-primitives";
import { createEthereumNode, type EthereumNode as ExecutionClient } from "@nodewright/ethereum-graphql";
import {
  createGuardedUpstream,
  type GuardedUpstream,
  type GuardedUpstreamOptions,
  type Upstream,
} from "@nodewright/upstream";
import type { NodeAddress, NodeGuard } from "../configuration/start-options.ts";

/** Upstream nodes of an index, as plain data. It may contain credentials. */
export interface UpstreamNodes {
  /** Addresses, at least one. */
  readonly addresses: readonly NodeAddress[];
  readonly guard: NodeGuard;
}

/** Execution clients of an Ethereum node, as plain data. It may contain credentials. */
export interface ExecutionClients extends UpstreamNodes {
  /** Chain ID, hexadecimal; without it, that of the first client that responds. */
  readonly chainId?: string | undefined;
  /** Maximum number of calls in one request. Absent: the default of the upstream. */
  readonly batchLimit?: number | undefined;
  /** Protocol version where a client reports none. */
  readonly protocolVersion?: number | undefined;
  /** Memory for cached chain data, in MB of 10^6 bytes. Absent: the default of the interface. */
  readonly cacheMegabytes?: number | undefined;
}

/** Connects to the upstream nodes of an index of `network`. */
export function connectToNodes(nodes: UpstreamNodes, network: Network): GuardedUpstream {
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

/** Creates the client that serves requests about the chain of `upstream`. */
export function createExecutionClient(
  upstream: Upstream,
  { protocolVersion, cacheMegabytes }: ExecutionClients,
): ExecutionClient {
  const cacheBytes = cacheMegabytes === undefined ? undefined : cacheMegabytes * 1e6;
  return createEthereumNode(upstream, { protocolVersion, cacheBytes });
}

function protection(guard: NodeGuard): Pick<GuardedUpstreamOptions, "breaker" | "isHedging"> {
  const { failures, cooldownMilliseconds, hedgesReads } = guard;
  return {
    breaker: {
      ...(failures === undefined ? {} : { failureThreshold: failures }),
      ...(cooldownMilliseconds === undefined ? {} : { cooldownMilliseconds }),
    },
    isHedging: hedgesReads,
  };
}
