import { type Network, type NetworkName, networks } from "@nodewright/bitcoin-primitives";
import type { HttpUpstreamOptions, ListingUpstream } from "@nodewright/upstream";
import { createBlockFileSource } from "./source/block-file-source.ts";
import { listenForBlocks } from "./source/block-announcements.ts";
import type { BlockSource } from "./source/block-source.ts";
import { createFilesThenNodeSource } from "./source/files-then-node-source.ts";
import { createNodeSource } from "./source/node-source.ts";

/** Source of an indexer process's blocks, as plain data that can be sent to it. */
export type SourceConfiguration = BlockFilesConfiguration | NodeConfiguration | FilesThenNodeConfiguration;

interface BlockFilesConfiguration {
  readonly kind: "block-files";
  /** Path of a block file, also compressed, or of a directory of `blk*.dat`. */
  readonly path: string;
  /** Whether a node is still writing the files: they are followed as they grow, and the indexer does not end. */
  readonly follow?: boolean | undefined;
  readonly pollMilliseconds?: number | undefined;
}

/** Connection options of a node. */
type NodeUpstreamOptions = Pick<
  HttpUpstreamOptions,
  "url" | "credentials" | "certificateAuthorities" | "batchLimit" | "timeoutMilliseconds" | "connections"
>;

interface NodeConfiguration {
  readonly kind: "node";
  readonly upstream: NodeUpstreamOptions;
  /** Further nodes of the same chain. The index follows the healthy one with the most work, of equals the first. */
  readonly others?: readonly NodeUpstreamOptions[] | undefined;
  readonly pollMilliseconds?: number | undefined;
  /** ZMQ address at which the node publishes new blocks, like `tcp://127.0.0.1:28332`. */
  readonly announcements?: string | undefined;
}

/** A node whose files are read too: they are a faster source of old blocks. */
interface FilesThenNodeConfiguration extends Omit<NodeConfiguration, "kind"> {
  readonly kind: "files-then-node";
  /** Path of a directory of `blk*.dat`. */
  readonly path: string;
}

/** Configuration of an indexer process. */
export interface IndexerConfiguration {
  /** Data directory. */
  readonly directory: string;
  readonly network: NetworkName;
  readonly source: SourceConfiguration;
  /** Whether addresses are kept for searches by prefix. Decided when the directory is created. */
  readonly addressSearch?: boolean | undefined;
  /** Whether blocks in plain block files are read in place and not copied. */
  readonly blocksInPlace?: boolean | undefined;
}

/** Returns how an indexer on this source repairs damaged blocks, as a `RepairHint` does. */
export function repairHintOf(source: SourceConfiguration): string {
  if (source.kind !== "block-files") return "it is being fetched from the node, and what comes of that is reported";
  if (source.follow === true) return `it is being read from ${source.path}, and what comes of that is reported`;
  return `it is read from ${source.path} again when the indexer is started next`;
}

/** Connects to the nodes of a source, with separate connections. */
export async function connectToSource(
  { upstream, others = [] }: Pick<NodeConfiguration, "upstream" | "others">,
  network: Network,
): Promise<ListingUpstream> {
  // Loaded only where a node is called: the transport takes longer to load than all the rest.
  const { createGuardedUpstream, createHttpUpstream } = await import("@nodewright/upstream");
  const nodes = [upstream, ...others].map((node) => ({ connections: fewConnections, ...node }));
  const [first] = nodes;
  if (nodes.length === 1 && first !== undefined) return createHttpUpstream(first);
  // A chain is read from one node as long as that is possible: from the one whose chain the index follows.
  return createGuardedUpstream({
    nodes,
    preference: "head",
    heads: { genesisHash: network.genesisHash },
    cacheBytes: 0,
  });
}

/** Number of connections to btcd, which refuses its eleventh client, and the mempool and the service call it as well. */
const fewConnections = 4;

/** Creates the source that a configuration describes. */
export async function createConfiguredSource(
  configuration: SourceConfiguration,
  network: Network,
): Promise<BlockSource> {
  if (configuration.kind === "block-files") {
    const { path, follow, pollMilliseconds } = configuration;
    return createBlockFileSource(path, network, { follow, pollMilliseconds });
  }
  const { pollMilliseconds } = configuration;
  const announcements =
    configuration.announcements === undefined ? undefined : await listenForBlocks(configuration.announcements);
  const node = createNodeSource(await connectToSource(configuration, network), network, {
    pollMilliseconds,
    announcements,
  });
  if (configuration.kind === "node") return node;
  return createFilesThenNodeSource(createBlockFileSource(configuration.path, network), node);
}

export function networkOf({ network }: IndexerConfiguration): Network {
  return networks[network];
}
