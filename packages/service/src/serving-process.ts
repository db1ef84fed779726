/**
 * A serving process, one of several that share a listener: it opens the registry and the indexes for itself and receives the state of the
 * nodes from the process that has started it, which runs them.
 *
 * It ends on SIGTERM, and with its parent.
 */
import { endWithParent } from "@nodewright/bitcoin-indexer";
import { listen } from "./process/listen.ts";
import { StartProblem } from "./configuration/start-problem.ts";
import { closeWithin, drainMilliseconds } from "./gate/close-within.ts";
import { createPublicListener, type ServiceStatus } from "./gate/public-listener.ts";
import type { ServingNode } from "./node/create-nodes.ts";
import { createMirroredNodes } from "./node/mirrored-nodes.ts";
import { type Cleanup, createCleanup } from "./process/cleanup.ts";
import { limitHeapGrowth } from "./process/heap-limits.ts";
import { createErrorReporter } from "./process/error-reporter.ts";
import type { MessageFromServing, MessageToServing, ServingConfiguration } from "./process/serving-message.ts";
import { openEmbeddedRegistry } from "./registry/embedded-registry.ts";
import { createInterfaceRoutes } from "./routes.ts";

const cleanup: Cleanup = createCleanup();
const nodes = createMirroredNodes();
let status: ServiceStatus = "starting";

endWithParent();
limitHeapGrowth();
process.on("SIGTERM", end);
// A terminal sends them to parent and child alike; the parent ends this process in its own order.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);

process.on("message", (message: MessageToServing) => {
  const news = message.kind === "configuration" ? message.news : message;
  status = news.status;
  for (const report of news.nodes) nodes.update(report);
  if (message.kind === "configuration") void begin(message);
});

/** Milliseconds between two reports of the nodes that are called. */
const reportMilliseconds = 2_000;

async function begin(configuration: ServingConfiguration): Promise<void> {
  try {
    await serve(configuration);
    send({ kind: "listening" });
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    send({ kind: "failed", reason: error.message });
    process.exitCode = 1;
    end();
  }
}

async function serve({
  host,
  port,
  registryPath,
  identity,
  publicDocs,
  startedAt,
}: ServingConfiguration): Promise<void> {
  cleanup.add(() => nodes.close());
  setInterval(() => send({ kind: "upstreams", nodes: nodes.upstreams() }), reportMilliseconds).unref();
  const registry = await openEmbeddedRegistry(registryPath);
  cleanup.add(() => registry.close());
  const onInternalError = createErrorReporter((description) => send({ kind: "internal-error", description }));
  const listener = createPublicListener<ServingNode>({
    registry,
    routes: createInterfaceRoutes({ identity, startedAt, onInternalError }),
    publicDocs,
    findNode: (id) => nodes.find(id),
    status: () => status,
    onInternalError,
  });
  cleanup.add(() => closeWithin(listener, drainMilliseconds));
  await listen(listener, host, port);
}

function send(message: MessageFromServing): void {
  if (process.connected) process.send?.(message, () => undefined);
}

function end(): void {
  void cleanup.run().finally(() => process.exit());
}
