import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import { type SupervisedProcess, superviseProcess } from "@nodewright/bitcoin-indexer";
import type { UpstreamNodeReport } from "@nodewright/upstream";
import { StartProblem } from "../configuration/start-problem.ts";
import type { UpstreamsOfNode } from "../node/sum-upstreams.ts";
import { heapOptions } from "./heap-limits.ts";
import type { MessageFromServing, MessageToServing, ServingConfiguration, ServingNews } from "./serving-message.ts";

/** Processes that serve the nodes of this one, and share one listener. */
export interface ServingPool {
  /** Fulfilled when each of them listens for the first time; rejected with `StartProblem` when one can't. */
  readonly listening: Promise<void>;
  /** Sends news to all of them, and to those that are started later. */
  notify(news: ServingNews): void;
  /** Returns the last reports of each of them for the upstream nodes of a node. */
  upstreamsOf(nodeId: string): readonly (readonly UpstreamNodeReport[])[];
  /** Stops all of them. */
  stop(): Promise<void>;
}

export interface ServingPoolOptions {
  readonly processes: number;
  readonly configuration: ServingConfiguration;
  /** Writes a line for the operator. */
  say(line: string): void;
}

/** Starts the processes. One that ends is restarted; the others continue to serve. */
export function startServingPool({ processes, configuration, say }: ServingPoolOptions): ServingPool {
  let { news } = configuration;
  prepareForks();
  let hasBegun = false;
  /** Workers with their last reports of the nodes that they call. */
  const workers = new Map<Worker, readonly UpstreamsOfNode[]>();
  const beginnings: Promise<void>[] = [];
  const supervised = Array.from({ length: processes }, (_, index): SupervisedProcess => {
    const beginning = Promise.withResolvers<void>();
    beginnings.push(beginning.promise);
    return superviseProcess({
      start() {
        const worker = cluster.fork();
        workers.set(worker, []);
        worker.once("exit", () => workers.delete(worker));
        worker.on("message", (message: MessageFromServing) => {
          if (message.kind === "internal-error") say(message.description);
          else if (message.kind === "upstreams") workers.set(worker, message.nodes);
          else if (message.kind === "listening") beginning.resolve();
          else if (hasBegun) say(`Serving process ${index + 1} can't serve: ${message.reason}`);
          else beginning.reject(new StartProblem(message.reason));
        });
        send(worker, { ...configuration, news });
        return worker.process;
      },
      onDeath({ how, delayMilliseconds = 0 }) {
        say(`Serving process ${index + 1} has ended (${how}); starting it again in ${delayMilliseconds / 1_000} s.`);
      },
      firstDelayMilliseconds: 100,
    });
  });
  return {
    listening: Promise.all(beginnings).then(() => {
      hasBegun = true;
    }),
    notify(latest) {
      news = latest;
      for (const worker of workers.keys()) send(worker, latest);
    },
    upstreamsOf(nodeId) {
      return [...workers.values()].flatMap((nodes) =>
        nodes.filter(({ id }) => id === nodeId).map((node) => node.upstreams),
      );
    },
    async stop() {
      await Promise.all(supervised.map((one) => one.stop()));
    },
  };
}

function prepareForks(): void {
  // From the sources, or from their compiled output.
  const isSource = import.meta.url.endsWith(".ts");
  const source = new URL("../serving-process.ts", import.meta.url);
  const program = isSource ? source : new URL("../serving-process.js", import.meta.url);
  cluster.setupPrimary({
    exec: fileURLToPath(program),
    // Its configuration comes as a message: no credentials are in its arguments or environment.
    args: [],
    execArgv: [...(isSource ? ["--conditions=source"] : []), ...heapOptions],
    // Standard input is the pipe that closes with this process.
    stdio: ["pipe", "ignore", "inherit", "ipc"],
  });
  // Connections are distributed round-robin: if each process accepted what it can, some would have most of them.
  cluster.schedulingPolicy = cluster.SCHED_RR;
}

function send(worker: Worker, message: MessageToServing): void {
  // A process that has just ended gets it after its restart.
  if (worker.isConnected()) worker.send(message, () => undefined);
}
