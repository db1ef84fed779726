import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { UpstreamNodeReport } from "@nodewright/upstream";
import { endpointOf, originOf } from "./command/endpoint.ts";
import { listen } from "./process/listen.ts";
import { createProgressLine, type ProgressLine, type ProgressOutput } from "./node/progress-line.ts";
import { type Announcement, prepareReadyFile, writeReadyFile } from "./command/ready-file.ts";
import { chooseShownKey, type ReportedNode, renderReadyReport } from "./command/ready-report.ts";
import type { StartOptions } from "./configuration/start-options.ts";
import { StartProblem } from "./configuration/start-problem.ts";
import { type DataDirectory, openDataDirectory } from "./data/data-directory.ts";
import type { Docs } from "./docs/add-docs.ts";
import { closeWithin, drainMilliseconds } from "./gate/close-within.ts";
import { createPublicListener, type ServiceStatus } from "./gate/public-listener.ts";
import { type ServingNode, createBitcoinOffer, createEthereumOffer, type Offer } from "./node/create-nodes.ts";
import type { NodeHealth } from "./node/node-health.ts";
import type { NodeReport } from "./node/node-report.ts";
import { sumUpstreams } from "./node/sum-upstreams.ts";
import { createOperatorListener } from "./operator/operator-listener.ts";
import { registerNodes } from "./node/register-nodes.ts";
import { openEmbeddedRegistry, RegistryFormatError } from "./registry/embedded-registry.ts";
import { type Cleanup, createCleanup } from "./process/cleanup.ts";
import { createErrorReporter } from "./process/error-reporter.ts";
import { findPort } from "./process/find-port.ts";
import type { ServingNews } from "./process/serving-message.ts";
import { startServingPool } from "./process/serving-pool.ts";
import type { Chain, Registry, ServedInterface } from "./registry/registry.ts";
import { createInterfaceRoutes } from "./routes.ts";

/** Outputs of a service. */
export interface ServiceOutput {
  /** Output for results: endpoints, the key if this is a terminal, lines to paste. */
  readonly output: { readonly isTTY?: boolean | undefined; write(text: string): unknown };
  /** Output for progress. */
  readonly progress: ProgressOutput;
}

/** A listening service. */
export interface RunningService {
  /** Origin, for example `http://127.0.0.1:8645`. */
  readonly origin: string;
  /** Fulfilled when every interface is available, or is known not to be. */
  readonly ready: Promise<void>;
  /** Stops everything that the service has started, within two seconds. */
  stop(): Promise<void>;
}

/**
 * Starts the service: opens the data directory and the registry, listens, and starts the nodes after the gate.
 *
 * Throws `StartProblem` when that is not possible, and leaves nothing behind then. Nodes that are not ready yet respond with 503.
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
    const records = offers.map(({ record }) => (options.keysInPath ? { ...record, keyInPath: true } : record));
    await registerNodes(registry, records, key);
    const { port, upstreamsOf } = await serve({ options, data, registry, offers, progressLine, cleanup });
    const origin = originOf(options.host, port);
    const keyFile = options.apiKey === undefined ? resolve(data.path, "demo-key") : undefined;
    const operatorOrigin = await serveOperator(
      options.operatorPort,
      { offers, upstreamsOf, docs: () => describeDocs(offers, origin, keyFile) },
      cleanup,
    );
    const ready = startNodes(offers).then(() => {
      if (cleanup.hasBegun) return;
      const nodes = offers.map((offer) => report(offer, origin));
      if (options.readyFile !== undefined) {
        announce(options.readyFile, { nodes: nodes.map((node) => ({ ...node, key })), operatorOrigin }, cleanup);
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      const shownKey = chooseShownKey(key, keyFile, output.isTTY === true);
      output.write(renderReadyReport({ nodes, key: shownKey, seconds, operatorOrigin }));
    });
    return { origin, ready, stop: () => cleanup.run() };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** Writes the file, and removes it when the service stops: it would contain a port that another program may use then. */
function announce(readyFile: string, announcement: Announcement, cleanup: Cleanup): void {
  writeReadyFile(readyFile, announcement);
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
    () => createBitcoinOffer(options.bitcoin, options.bitcoinSwitches, data, progressLine),
    () => createEthereumOffer(options.ethereum, progressLine),
  ]) {
    const offer = await create();
    offers.push(offer);
    cleanup.add(() => offer.node.stop());
  }
  return offers;
}

interface Serving {
  readonly options: StartOptions;
  readonly data: DataDirectory;
  readonly registry: Registry;
  readonly offers: readonly Offer[];
  readonly progressLine: ProgressLine;
  readonly cleanup: Cleanup;
}

interface Listening {
  /** Port that clients reach. */
  readonly port: number;
  /** Returns the reports of the serving processes, other than this one, for the upstream nodes of a node. */
  upstreamsOf(nodeId: string): readonly (readonly UpstreamNodeReport[])[];
}

/** Listens, in this process or in others. */
async function serve(serving: Serving): Promise<Listening> {
  return serving.options.servingProcesses === 1 ? serveAlone(serving) : serveInOthers(serving);
}

async function serveAlone({ options, registry, offers, progressLine, cleanup }: Serving): Promise<Listening> {
  const nodes = new Map(offers.map(({ node }) => [node.id, node]));
  const onInternalError = createErrorReporter((line) => progressLine.say(line));
  const listener = createPublicListener<ServingNode>({
    registry,
    routes: createInterfaceRoutes({ identity: options.identity, onInternalError }),
    publicDocs: options.publicDocs,
    findNode: (id) => nodes.get(id),
    status: () => statusOf(offers),
    onInternalError,
  });
  cleanup.add(() => closeWithin(listener, drainMilliseconds));
  return { port: await listen(listener, options.host, options.port), upstreamsOf: () => [] };
}

/** Serves in other processes. This process then only runs the nodes: their changes are reported to those that serve. */
async function serveInOthers({ options, data, offers, progressLine, cleanup }: Serving): Promise<Listening> {
  const reports = new Map<string, NodeReport>();
  const news = (): ServingNews => ({ kind: "news", nodes: [...reports.values()], status: statusOf(offers) });
  for (const { node } of offers) node.watch((report) => void reports.set(report.id, report));
  const port = await findPort(options.host, options.port);
  const pool = startServingPool({
    processes: options.servingProcesses,
    configuration: {
      kind: "configuration",
      host: options.host,
      port,
      registryPath: data.registryPath,
      identity: options.identity,
      publicDocs: options.publicDocs,
      startedAt: Date.now(),
      news: news(),
    },
    say: (line) => progressLine.say(line),
  });
  cleanup.add(() => pool.stop());
  for (const { node } of offers) node.watch(() => pool.notify(news()));
  await pool.listening;
  return { port, upstreamsOf: (nodeId) => pool.upstreamsOf(nodeId) };
}

/** Content of the operator's listener. */
interface OperatorView {
  readonly offers: readonly Offer[];
  readonly upstreamsOf: Listening["upstreamsOf"];
  docs(): Docs;
}

/** Returns the origin of the operator's listener, when one is configured. */
async function serveOperator(
  port: number | undefined,
  { offers, upstreamsOf, docs }: OperatorView,
  cleanup: Cleanup,
): Promise<string | undefined> {
  if (port === undefined) return undefined;
  const listener = createOperatorListener({
    status: () => statusOf(offers),
    nodes: () => Promise.all(offers.map(({ node }) => healthOf(node, upstreamsOf))),
    docs,
  });
  cleanup.add(() => closeWithin(listener, drainMilliseconds));
  return originOf(operatorHost, await listen(listener, operatorHost, port, "--operator-port"));
}

/** Describes GraphiQL, which calls the nodes at the public listener, from another origin. */
function describeDocs(offers: readonly Offer[], publicOrigin: string, keyFile: string | undefined): Docs {
  // No policy can contain an IPv6 address (Content Security Policy 3, section 2.3.1).
  const origin = publicOrigin.replace("//[::1]:", "//localhost:");
  const endpoints = offers.flatMap(({ record }) => {
    const { graphql } = endpointOf(origin, record.id, record.chain, true).interfaces;
    return graphql === undefined ? [] : { nodeId: record.id, url: graphql };
  });
  return {
    configuration: { endpoints, ...(keyFile === undefined ? {} : { keyFile }) },
    allowedOrigins: [origin.includes("[") ? "http:" : origin],
  };
}

async function healthOf(node: Offer["node"], upstreamsOf: Listening["upstreamsOf"]): Promise<NodeHealth> {
  const health = await node.health();
  if (health.upstreams === undefined) return health;
  return { ...health, upstreams: sumUpstreams(health.upstreams, upstreamsOf(node.id)) };
}

/** Host of the operator's listener. It has no keys, so that only this machine may reach it. */
const operatorHost = "127.0.0.1";

async function startNodes(offers: readonly Offer[]): Promise<void> {
  await Promise.all(offers.map(({ node }) => node.start()));
}

function report({ record, node, restExample }: Offer, origin: string): ReportedNode {
  const isServed = node.unavailable(mainInterface(record.chain)) === undefined;
  return {
    id: record.id,
    chain: record.chain,
    endpoint: endpointOf(origin, record.id, record.chain, isServed),
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
