import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isIndexerError, type SourceConfiguration } from "@nodewright/bitcoin-indexer";
import { type Network, type NetworkName, networks } from "@nodewright/bitcoin-primitives";
import { createGuardedUpstream, type Upstream } from "@nodewright/upstream";
import { type ProgressLine, renderRepair } from "./progress-line.ts";
import type { BitcoinOrigin, BitcoinSwitches, EthereumOrigin, NodeAddress } from "../configuration/start-options.ts";
import { StartProblem } from "../configuration/start-problem.ts";
import type { DataDirectory } from "../data/data-directory.ts";
import type { ServedNode } from "../registry/registry.ts";
import type { UpstreamNodes } from "./upstream-nodes.ts";
import { type BitcoinServingNode, type BitcoinNode, createBitcoinNode } from "./bitcoin-node.ts";
import {
  type EthereumServingNode,
  createDemoEthereumNode,
  createOwnEthereumNode,
  type EthereumNode,
} from "./ethereum-node.ts";

type OfferedNode = BitcoinNode | EthereumNode;

/** Parts of a node that serve requests: in a process that only serves, another one runs it. */
export type ServingNode = BitcoinServingNode | EthereumServingNode;

/** A node as it is offered: its registry entry and its serving parts. */
export interface Offer<Node extends OfferedNode = OfferedNode> {
  readonly record: ServedNode;
  readonly node: Node;
  /** Path below the index REST interface with an interesting response. */
  readonly restExample: string;
}

/** First payment between two people. */
const demoTransaction = "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16";
const networkTimeoutMilliseconds = 5_000;
const demoBlocks = fileURLToPath(new URL("../../demo/bitcoin-mainnet/blocks-0-14131.dat.zst", import.meta.url));

/** Creates the node of `origin`, not started. Throws `StartProblem`. */
export async function createBitcoinOffer(
  origin: BitcoinOrigin,
  switches: BitcoinSwitches,
  data: DataDirectory,
  progress: ProgressLine,
): Promise<Offer<BitcoinNode>> {
  const { network, source, sourceName, nodes } = await chooseSource(origin, data);
  const id = bitcoinNodeId(network.name);
  const directory = data.nodePath(id, sourceName);
  try {
    return {
      record: { id, chain: "bitcoin", network: network.name, kind: "shared" },
      node: createBitcoinNode({
        id,
        network,
        directory,
        source,
        nodes,
        switches,
        onEvent: (event) => progress.show(id, event),
        onRepair: (outcome) => progress.say(renderRepair(id, outcome)),
      }),
      restExample: origin.kind === "demo" ? `tx/${demoTransaction}` : "blocks/tip/height",
    };
  } catch (error) {
    if (isIndexerError(error)) throw new StartProblem(error.message);
    throw error;
  }
}

export function createEthereumOffer(origin: EthereumOrigin, progress: ProgressLine): Offer<EthereumNode> {
  const id = origin.kind === "demo" ? "ethereum-dev" : "ethereum";
  const options = { id, say: (line: string) => progress.say(line) };
  if (origin.kind === "demo") {
    const record = { id, chain: "ethereum", network: "dev", kind: "shared" } as const;
    return { record, node: createDemoEthereumNode(options), restExample: "" };
  }
  const { kind: _kind, nodes: addresses, ...others } = origin;
  return {
    record: { id, chain: "ethereum", network: "own", kind: "shared" },
    node: createOwnEthereumNode({ addresses, ...others }, options),
    restExample: "",
  };
}

interface ChosenSource {
  readonly network: Network;
  readonly source: SourceConfiguration;
  /** Name of the source. Indexes of different sources are never in one directory: their chains may differ. */
  readonly sourceName: string;
  readonly nodes?: UpstreamNodes;
}

async function chooseSource(origin: BitcoinOrigin, data: DataDirectory): Promise<ChosenSource> {
  switch (origin.kind) {
    case "demo":
      return { network: networks.mainnet, source: { kind: "block-files", path: demoBlocks }, sourceName: "demo" };
    case "blocks": {
      const path = readBlocksPath(origin.directory);
      return {
        network: networks[origin.network],
        source: { kind: "block-files", path, follow: true },
        sourceName: `files-${shortDigest(path)}`,
      };
    }
    case "node": {
      const { nodes: addresses, guard } = origin;
      const [first, ...others] = addresses;
      if (first === undefined) throw new Error("There is no node");
      const sourceName = `node-${shortDigest(first.url)}`;
      const network =
        origin.network === undefined ? await findNetwork(addresses, sourceName, data) : networks[origin.network];
      const source = { upstream: first, others, announcements: origin.announcements };
      const nodes = { addresses, guard };
      if (origin.blocks === undefined) return { network, source: { kind: "node", ...source }, sourceName, nodes };
      const path = readBlocksPath(origin.blocks);
      return { network, source: { kind: "files-then-node", path, ...source }, sourceName, nodes };
    }
  }
}

/** Queries the nodes in their order; where none responds now, the first is identified by what an earlier start has indexed of it. */
async function findNetwork(nodes: readonly NodeAddress[], sourceName: string, data: DataDirectory): Promise<Network> {
  const upstream = createGuardedUpstream({
    nodes,
    preference: "order",
    timeoutMilliseconds: networkTimeoutMilliseconds,
  });
  try {
    return await detectNetwork(upstream);
  } catch (error) {
    const known = Object.values(networks).filter(({ name }) =>
      existsSync(data.nodePath(bitcoinNodeId(name), sourceName)),
    );
    if (known[0] !== undefined && known.length === 1) return known[0];
    throw error;
  } finally {
    await upstream.close();
  }
}

/** Queries a Bitcoin node for its genesis block, and so for its network. Throws `StartProblem`. */
async function detectNetwork(upstream: Upstream): Promise<Network> {
  const genesisHash = await upstream.call("getblockhash", [0]).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "no response";
    throw new StartProblem(
      `The Bitcoin node of --bitcoin-rpc did not report its network (${reason}): start it, check its URL and credentials, or name the network with --bitcoin-network.`,
    );
  });
  const network = Object.values(networks).find((candidate) => candidate.genesisHash === genesisHash);
  if (network !== undefined) return network;
  throw new StartProblem(
    `The Bitcoin node of --bitcoin-rpc has a chain that is not known here: use one of ${Object.keys(networks).join(", ")}.`,
  );
}

function bitcoinNodeId(network: NetworkName): string {
  return `bitcoin-${network}`;
}

function readBlocksPath(directory: string): string {
  try {
    const path = realpathSync(directory);
    if (readdirSync(path).some((name) => /^blk\d+\.dat/.test(name))) return path;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new StartProblem(
      `The directory ${directory} of --bitcoin-blocks can't be read (${code}): give the directory with a node's blk*.dat files, and see that it may be read.`,
    );
  }
  throw new StartProblem(
    `The directory ${directory} of --bitcoin-blocks holds no blk*.dat file: give the one in which a node keeps its blocks.`,
  );
}

/** Returns a digest that distinguishes sources, and reveals nothing of a URL. */
function shortDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
