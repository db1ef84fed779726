import { type Network, type NetworkName, networks } from "@nodewright/bitcoin-primitives";
import type { HttpUpstreamOptions } from "@nodewright/upstream";
import { createBlockFileSource } from "./source/block-file-source.ts";
import type { BlockSource } from "./source/block-source.ts";
import { createNodeSource } from "./source/node-source.ts";

/** Where an indexer process gets its blocks, as plain data that can be sent to it. */
export type SourceConfiguration =
  | {
      readonly kind: "block-files";
      /** A block file, also packed, or a directory of `blk*.dat`. */
      readonly path: string;
    }
  | {
      readonly kind: "node";
      readonly upstream: Pick<
        HttpUpstreamOptions,
        "url" | "credentials" | "certificateAuthorities" | "batchLimit" | "timeoutMilliseconds" | "connections"
      >;
      readonly pollMilliseconds?: number | undefined;
    };

/** What an indexer process works on. */
export interface IndexerConfiguration {
  /** The data directory. */
  readonly directory: string;
  readonly network: NetworkName;
  readonly source: SourceConfiguration;
}

/** Creates the source that a configuration describes. */
export async function createConfiguredSource(
  configuration: SourceConfiguration,
  network: Network,
): Promise<BlockSource> {
  if (configuration.kind === "block-files") return createBlockFileSource(configuration.path, network);
  // Loaded only where a node is asked: the transport takes longer to load than all the rest.
  const { createHttpUpstream } = await import("@nodewright/upstream");
  const { upstream, pollMilliseconds } = configuration;
  return createNodeSource(createHttpUpstream(upstream), network, { pollMilliseconds });
}

export function networkOf({ network }: IndexerConfiguration): Network {
  return networks[network];
}
