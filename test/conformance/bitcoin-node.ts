import { documentText } from "@nodewright/bitcoin-api/document";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BitcoinHandlers, createBitcoinRpc } from "@nodewright/bitcoin-api/server";
import { createArraySource, openChainIndex, openEmbeddedStore, runIndexer } from "@nodewright/bitcoin-indexer";
import {
  type BitcoinNodeContext,
  createCommandReference,
  createParameterRefusal,
  type OpenRpcDocument,
} from "@nodewright/bitcoin-node";
import { networks } from "@nodewright/bitcoin-primitives";
import { createIndexRoutes, type IndexHandlers } from "@nodewright/index-api/server";
import { endpointNotFound, type IndexRestContext } from "@nodewright/index-rest";
import type { Upstream } from "@nodewright/upstream";
import fastify from "fastify";
import { demoBlocks } from "../end-to-end/demo-blocks.ts";

/** An index of the demo's blocks, without a service around it. */
export interface DemoIndex {
  /** Serves both Bitcoin interfaces with these handlers on a free port; with a node behind them, as one that its caller owns. */
  serve(handlers: BitcoinNodeHandlers, upstream?: Upstream): Promise<ServedNode>;
  close(): Promise<void>;
}

export interface BitcoinNodeHandlers {
  readonly rest: IndexHandlers<IndexRestContext>;
  readonly rpc: BitcoinHandlers<BitcoinNodeContext>;
}

interface ServedNode {
  readonly restUrl: string;
  readonly rpcUrl: string;
  close(): Promise<void>;
}

/** Indexes the demo's blocks. */
export async function createDemoIndex(): Promise<DemoIndex> {
  const network = networks.mainnet;
  const directory = mkdtempSync(join(tmpdir(), "nodewright-conformance-"));
  const store = await openEmbeddedStore(directory, network);
  await runIndexer({ store, source: createArraySource(network, demoBlocks(14_132)) });
  await store.close();
  const index = openChainIndex(directory, { network });
  const document = JSON.parse(documentText) as OpenRpcDocument;
  const commands = createCommandReference(document);
  const context: BitcoinNodeContext = {
    index,
    identity: { version: 10_000, protocolVersion: 70_016 },
    methodAccess: { isEnabled: () => true, enableHint: "nowhere" },
    commands,
    isShared: true,
    startedAt: Date.now(),
    now: Date.now,
  };
  return {
    async serve({ rest, rpc }, upstream) {
      const app = fastify({ routerOptions: { maxParamLength: 1_000 } });
      app.register(
        createIndexRoutes<IndexRestContext>({
          handlers: rest,
          context: () => ({ index }),
          notFound: ({ url }) => endpointNotFound(url),
        }),
        { prefix: "/rest" },
      );
      app.register(
        createBitcoinRpc<BitcoinNodeContext>({
          handlers: rpc,
          context: () => (upstream === undefined ? context : { ...context, upstream, isShared: false }),
          invalidParameters: createParameterRefusal(commands),
        }),
        { prefix: "/rpc" },
      );
      const origin = await app.listen({ host: "127.0.0.1", port: 0 });
      return { restUrl: `${origin}/rest`, rpcUrl: `${origin}/rpc`, close: () => app.close() };
    },
    async close() {
      await index.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
