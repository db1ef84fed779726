import { type Network, type NetworkName, networks } from "@nodewright/bitcoin-primitives";
import type { HttpUpstreamOptions } from "@nodewright/upstream";
import { createBlockFileSource } from "./source/block-file-source.ts";
import { listenForBlocks } from "./source/block-announcements.ts";
import type { BlockSource } from "./source/block-source.ts";
import { createFilesThenNodeSource } from "./source/files-then-node-source.ts";
import { createNodeSource } from "./source/node-source.ts";

/** Where an indexer process gets its blocks, as plain data that can be sent to it. */
export type SourceConfiguration = BlockFilesConfiguration | NodeConfiguration | FilesThenNodeConfiguration;

interface BlockFilesConfiguration {
  readonly kind: "block-files";
  /** A block file, also packed, or a directory of `blk*.dat`. */
  readonly path: string;
  /** Whether a node is still writing the files: they are read on as they grow, and the indexer does not end. */
  readonly follow?: boolean | undefined;
  readonly pollMilliseconds?: number | undefined;
}

interface NodeConfiguration {
  readonly kind: "node";
  readonly upstream: Pick<
    HttpUpstreamOptions,
    "url" | "credentials" | "certificateAuthorities" | "batchLimit" | "timeoutMilliseconds" | "connections"
  >;
  readonly pollMilliseconds?: number | undefined;
  /** Where the node publishes new blocks by ZMQ, like `tcp://127.0.0.1:28332`. */
  readonly announcements?: string | undefined;
}

/** A node whose files are read too: they give what they have faster. */
interface FilesThenNodeConfiguration extends Omit<NodeConfiguration, "kind"> {
  readonly kind: "files-then-node";
  /** A directory of `blk*.dat`. */
  readonly path: string;
}

/** What an indexer process works on. */
export interface IndexerConfiguration {
  /** The data directory. */
  readonly directory: string;
  readonly network: NetworkName;
  readonly source: SourceConfiguration;
  /** Whether addresses are kept for being found by how they begin. Decided when the directory is made. */
  readonly addressSearch?: boolean | undefined;
  /** Whether blocks that stand in plain block files are read there and not copied. */
  readonly blocksInPlace?: boolean | undefined;
}

/** btcd refuses its eleventh caller, and the mempool and the service call it as well. */
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
  // Loaded only where a node is asked: the transport takes longer to load than all the rest.
  const { createHttpUpstream } = await import("@nodewright/upstream");
  const { upstream, pollMilliseconds } = configuration;
  const announcements =
    configuration.announcements === undefined ? undefined : await listenForBlocks(configuration.announcements);
  const node = createNodeSource(createHttpUpstream({ connections: fewConnections, ...upstream }), network, {
    pollMilliseconds,
    announcements,
  });
  if (configuration.kind === "node") return node;
  return createFilesThenNodeSource(createBlockFileSource(configuration.path, network), node);
}

export function networkOf({ network }: IndexerConfiguration): Network {
  return networks[network];
}
