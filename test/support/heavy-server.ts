import { join } from "node:path";
import { documentText } from "@nodewright/bitcoin-api/document";
import { createBitcoinRpc } from "@nodewright/bitcoin-api/server";
import { type ChainQueries, type MempoolQueries, openChainIndex } from "@nodewright/bitcoin-indexer";
import { createTestMempool } from "@nodewright/bitcoin-indexer/testing";
import {
  type BitcoinNodeContext,
  createCommandReference,
  createParameterRefusal,
  handlers,
  type OpenRpcDocument,
  OutputScans,
} from "@nodewright/bitcoin-node";
import { addressOfScript, fromHex, networks } from "@nodewright/bitcoin-primitives";
import { createIndexRoutes } from "@nodewright/index-api/server";
import { handlers as indexHandlers, type IndexRestContext } from "@nodewright/index-rest";
import fastify, { type FastifyInstance } from "fastify";
import { buildHeavyChain, buildLongChain, type HeavyFacts, type HeavySizes } from "./heavy-chain.ts";
import { type TurnFigures, TurnMeter } from "./turn-meter.ts";

/** What this process tells the one that started it. */
export type HeavyServerMessage =
  | { readonly kind: "ready"; readonly origin: string; readonly facts: ServedFacts }
  | { readonly kind: "figures"; readonly figures: TurnFigures };

export interface ServedFacts extends HeavyFacts {
  readonly hotAddress: string;
  readonly unconfirmed: number;
  /** Hashes of the long chain by height. */
  readonly longHashes: readonly string[];
}

/** What it is told. */
export type HeavyServerCommand = "start" | "stop";

const { regtest } = networks;
/** Of the service, when nobody has chosen another. */
const bodyLimit = 1_048_576;

const commands = createCommandReference(JSON.parse(documentText) as OpenRpcDocument);

/**
 * Serves a chain of large blocks at `/heavy`, and its index at `/rest`, and a long chain at `/long`, from one thread whose turns are
 * measured. Both are made in `directory` first.
 */
async function serve(directory: string, sizes: HeavySizes): Promise<void> {
  const heavyDirectory = join(directory, "heavy");
  const heavy = await buildHeavyChain(heavyDirectory, sizes);
  const longHashes = await buildLongChain(join(directory, "long"), sizes);
  const pool = createTestMempool(join(directory, "pool"), heavy.tip, heavy.unconfirmed);
  const index = openChainIndex(heavyDirectory, { network: regtest });
  const long = openChainIndex(join(directory, "long"), { network: regtest });
  const app = fastify({ bodyLimit, routerOptions: { maxParamLength: 1_000 } });
  serveRpc(app, "/heavy", index, pool.queries);
  serveRpc(app, "/long", long);
  app.register(
    createIndexRoutes<IndexRestContext>({
      handlers: indexHandlers,
      context: () => ({ index, mempool: pool.queries }),
      validateResponses: "off",
    }),
    { prefix: "/rest" },
  );
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const hotAddress = addressOfScript(fromHex(heavy.facts.hotScript) ?? new Uint8Array(), regtest) ?? "";
  const { length: unconfirmed } = heavy.unconfirmed;
  send({ kind: "ready", origin, facts: { ...heavy.facts, hotAddress, unconfirmed, longHashes } });
}

function serveRpc(app: FastifyInstance, prefix: string, index: ChainQueries, mempool?: MempoolQueries): void {
  const scans = new OutputScans();
  const context: BitcoinNodeContext = {
    index,
    mempool,
    identity: { version: 10_000, protocolVersion: 70_016 },
    methodAccess: { isEnabled: () => true, enableHint: "nowhere" },
    commands,
    isShared: true,
    scans: scans.of("test"),
    startedAt: 0,
    now: Date.now,
  };
  app.register(
    createBitcoinRpc<BitcoinNodeContext>({
      handlers,
      context: () => context,
      invalidParameters: createParameterRefusal(commands),
      validateResponses: "off",
      bodyLimitBytes: bodyLimit,
    }),
    { prefix },
  );
}

function send(message: HeavyServerMessage): void {
  process.send?.(message);
}

const meter = new TurnMeter();
process.on("message", (command: HeavyServerCommand) => {
  if (command === "start") {
    meter.start();
    return;
  }
  send({ kind: "figures", figures: meter.stop() });
});
// The process that started this one has gone.
process.on("disconnect", () => process.exit());

const [directory = "", sizes = "{}"] = process.argv.slice(2);
await serve(directory, JSON.parse(sizes) as HeavySizes);
