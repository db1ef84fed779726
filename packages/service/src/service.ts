import { rmSync } from "node:fs";
import { join } from "node:path";
import { endpointOf, originOf } from "./command/endpoint.ts";
import { listen } from "./command/listen.ts";
import { createProgressLine, type ProgressLine, type ProgressOutput } from "./command/progress-line.ts";
import { prepareReadyFile, writeReadyFile } from "./command/ready-file.ts";
import { type ReportedNode, renderReadyReport } from "./command/ready-report.ts";
import type { StartOptions } from "./command/start-options.ts";
import { StartProblem } from "./command/start-problem.ts";
import { type DataDirectory, openDataDirectory } from "./data/data-directory.ts";
import { closeWithin } from "./gate/close-within.ts";
import { createPublicListener, type ServiceStatus } from "./gate/public-listener.ts";
import { createBitcoinOffer, createEthereumOffer, type Offer, type OfferedNode } from "./node/create-nodes.ts";
import { registerNodes } from "./node/register-nodes.ts";
import { openEmbeddedRegistry, RegistryFormatError } from "./registry/embedded-registry.ts";
import { type Cleanup, createCleanup } from "./process/cleanup.ts";
import type { Chain, Registry, ServedInterface } from "./registry/registry.ts";
import { createInterfaceRoutes } from "./routes.ts";
import { readVersion } from "./version.ts";

/** Where a service tells what it does. */
export interface ServiceOutput {
  /** For results: endpoints, the key, lines to paste. */
  readonly output: { write(text: string): unknown };
  /** For what goes on. */
  readonly progress: ProgressOutput;
}

/** A service that listens. */
export interface RunningService {
  /** For example `http://127.0.0.1:8645`. */
  readonly origin: string;
  /** Fulfilled when every interface answers, or is known not to. */
  readonly ready: Promise<void>;
  /** Ends everything that the service has started, within two seconds. */
  stop(): Promise<void>;
}

/** How long requests under way are given when the service stops. */
const drainMilliseconds = 600;

/**
 * Starts the service: opens the data directory and the registry, listens, and starts the nodes behind the gate.
 *
 * Throws `StartProblem` when that is not possible, and leaves nothing behind then. Nodes that are not ready yet answer 503.
 */
export async function startService(
  options: StartOptions,
  { output, progress }: ServiceOutput,
): Promise<RunningService> {
  const startedAt = performance.now();
  const cleanup = createCleanup();
  const progressLine = createProgressLine(progress);
  try {
    if (options.readyFile !== undefined) prepareReadyFile(options.readyFile);
    const data = openDataDirectory(options.dataDirectory);
    cleanup.add(async () => data.close());
    const registry = await openRegistry(data);
    cleanup.add(() => registry.close());
    const offers = await createOffers(options, data, progressLine, cleanup);
    const key = options.apiKey ?? data.demoKey();
    const records = offers.map(({ record }) => record);
    await registerNodes(registry, records, key);
    const origin = await serve(options, registry, offers, progressLine, cleanup);
    const ready = startNodes(offers).then(() => {
      if (cleanup.hasBegun) return;
      const nodes = offers.map((offer) => report(offer, origin, key));
      if (options.readyFile !== undefined) announce(options.readyFile, nodes, cleanup);
      const keyFile = options.apiKey === undefined ? join(data.path, "demo-key") : undefined;
      const seconds = (performance.now() - startedAt) / 1_000;
      output.write(renderReadyReport({ nodes, key, keyFile, seconds }));
    });
    return { origin, ready, stop: () => cleanup.run() };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** The file is taken away when the service stops: it would name a port that is somebody else's then. */
function announce(readyFile: string, nodes: readonly ReportedNode[], cleanup: Cleanup): void {
  writeReadyFile(readyFile, nodes);
  cleanup.add(async () => rmSync(readyFile, { force: true }));
}

async function openRegistry(data: DataDirectory): Promise<Registry> {
  try {
    return await openEmbeddedRegistry(data.registryPath);
  } catch (error) {
    if (!(error instanceof RegistryFormatError)) throw error;
    throw new StartProblem(
      `The data directory ${data.path} was written by another version (${error.message}): use that version, or choose another directory with --data.`,
    );
  }
}

async function createOffers(
  options: StartOptions,
  data: DataDirectory,
  progressLine: ProgressLine,
  cleanup: Cleanup,
): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  for (const create of [
    () => createBitcoinOffer(options.bitcoin, data, progressLine),
    () => createEthereumOffer(options.ethereum, progressLine),
  ]) {
    const offer = await create();
    offers.push(offer);
    cleanup.add(() => offer.node.stop());
  }
  return offers;
}

/** Listens and gives the origin that callers reach. */
async function serve(
  options: StartOptions,
  registry: Registry,
  offers: readonly Offer[],
  progressLine: ProgressLine,
  cleanup: Cleanup,
): Promise<string> {
  const nodes = new Map(offers.map(({ node }) => [node.id, node]));
  const onInternalError = (error: unknown): void => progressLine.say(`Internal error: ${describeError(error)}`);
  const listener = createPublicListener<OfferedNode>({
    registry,
    routes: createInterfaceRoutes({ version: readVersion(), onInternalError }),
    findNode: (id) => nodes.get(id),
    status: () => statusOf(offers),
    onInternalError,
  });
  cleanup.add(() => closeWithin(listener, drainMilliseconds));
  const port = await listen(listener, options.host, options.port);
  return originOf(options.host, port);
}

async function startNodes(offers: readonly Offer[]): Promise<void> {
  await Promise.all(offers.map(({ node }) => node.start()));
}

function report({ record, node, restExample }: Offer, origin: string, key: string): ReportedNode {
  const isServed = node.unavailable(mainInterface(record.chain)) === undefined;
  return {
    id: record.id,
    chain: record.chain,
    endpoint: endpointOf(origin, record.id, record.chain, isServed),
    key,
    summary: node.summary(),
    problem: node.problem(),
    restExample,
  };
}

function statusOf(offers: readonly Offer[]): ServiceStatus {
  const refusals = offers.flatMap(({ record, node }) => node.unavailable(mainInterface(record.chain)) ?? []);
  if (refusals.some(({ code }) => code === "installing")) return "starting";
  return refusals.length > 0 || offers.some(({ node }) => node.problem() !== undefined) ? "degraded" : "ok";
}

function mainInterface(chain: Chain): ServedInterface {
  return chain === "bitcoin" ? "rest" : "graphql";
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
