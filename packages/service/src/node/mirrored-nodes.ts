import { type ChainIndexReader, openChainIndex } from "@nodewright/bitcoin-indexer";
import { networks } from "@nodewright/bitcoin-primitives";
import type { EthereumNode as ExecutionClient } from "@nodewright/ethereum-graphql";
import type { GuardedUpstream, UpstreamNodeReport } from "@nodewright/upstream";
import type { BitcoinServingNode } from "./bitcoin-node.ts";
import type { ServingNode } from "./create-nodes.ts";
import { type EthereumServingNode, ethereumUnavailable } from "./ethereum-node.ts";
import { unavailableIndex } from "./index-state.ts";
import type { BitcoinReport, EthereumReport, NodeReport } from "./node-report.ts";
import { connectToClients, connectToNodes, createExecutionClient, type ExecutionClients } from "./upstream-nodes.ts";
import type { UpstreamsOfNode } from "./sum-upstreams.ts";

/** Nodes that another process runs, as far as this one serves them: it reads their indexes and calls their clients itself. */
export interface MirroredNodes {
  /** Applies the latest report of a node. */
  update(report: NodeReport): void;
  find(id: string): ServingNode | undefined;
  /** Returns the upstream nodes of those that have any. */
  upstreams(): readonly UpstreamsOfNode[];
  close(): Promise<void>;
}

interface Mirror<Report extends NodeReport> {
  readonly node: ServingNode;
  upstreams(): readonly UpstreamNodeReport[];
  update(report: Report): void;
  close(): Promise<void>;
}

export function createMirroredNodes(): MirroredNodes {
  const bitcoin = new Map<string, Mirror<BitcoinReport>>();
  const ethereum = new Map<string, Mirror<EthereumReport>>();
  return {
    update(report) {
      if (report.chain === "bitcoin") updateIn(bitcoin, report, mirrorBitcoin);
      else updateIn(ethereum, report, mirrorEthereum);
    },
    upstreams: () => [...bitcoin, ...ethereum].map(([id, mirror]) => ({ id, upstreams: mirror.upstreams() })),
    find: (id) => (bitcoin.get(id) ?? ethereum.get(id))?.node,
    async close() {
      await Promise.all([...bitcoin.values(), ...ethereum.values()].map((mirror) => mirror.close()));
    },
  };
}

function updateIn<Report extends NodeReport>(
  mirrors: Map<string, Mirror<Report>>,
  report: Report,
  create: (report: Report) => Mirror<Report>,
): void {
  const known = mirrors.get(report.id);
  if (known === undefined) mirrors.set(report.id, create(report));
  else known.update(report);
}

function mirrorBitcoin(first: BitcoinReport): Mirror<BitcoinReport> {
  const network = networks[first.network];
  let latest = first;
  const reader: ChainIndexReader = openChainIndex(first.directory, {
    network,
    optional: first.optional,
    repairHint: () => latest.repairHint,
  });
  const upstream = first.nodes && connectToNodes(first.nodes, network);
  const node: BitcoinServingNode = {
    id: first.id,
    chain: "bitcoin",
    network,
    queries: reader,
    mempool: upstream === undefined ? undefined : reader.mempool,
    optional: reader.optional,
    upstream,
    offersBlockTemplates: first.offersBlockTemplates,
    unavailable: () => unavailableIndex(latest.index),
  };
  return {
    node,
    upstreams: () => upstream?.nodes() ?? [],
    update(report) {
      latest = report;
    },
    async close() {
      await upstream?.close();
      await reader.close();
    },
  };
}

function mirrorEthereum(first: EthereumReport): Mirror<EthereumReport> {
  let latest = first;
  let connection = connect(first.clients);
  const node: EthereumServingNode = {
    id: first.id,
    chain: "ethereum",
    unavailable: () => (connection === undefined ? ethereumUnavailable(latest.problem) : undefined),
    getClient() {
      if (connection === undefined) throw ethereumUnavailable(latest.problem);
      return connection.client;
    },
  };
  return {
    node,
    upstreams: () => connection?.upstream.nodes() ?? [],
    update(report) {
      // A demo chain that was restarted has another port.
      if (JSON.stringify(report.clients) !== JSON.stringify(latest.clients)) {
        void connection?.upstream.close();
        connection = connect(report.clients);
      }
      latest = report;
    },
    async close() {
      await connection?.upstream.close();
    },
  };
}

interface Connection {
  readonly upstream: GuardedUpstream;
  readonly client: ExecutionClient;
}

function connect(clients: ExecutionClients | undefined): Connection | undefined {
  if (clients === undefined) return undefined;
  const upstream = connectToClients(clients);
  return { upstream, client: createExecutionClient(upstream, clients) };
}
