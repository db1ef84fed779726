import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { heapOptions } from "../../packages/service/src/process/heap-limits.ts";
import { root } from "./workspace.ts";

export interface ReadyNode {
  readonly id: string;
  readonly chain: "bitcoin" | "ethereum";
  readonly endpoint: string;
  readonly apikey: string;
  readonly interfaces: { readonly rest?: string; readonly graphql?: string; readonly rpc?: string };
}

/** A service started for a test, as a user starts it. */
export interface StartedService {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly nodes: readonly ReadyNode[];
  readonly dataDirectory: string;
  /** Where its operator's listener is, if there is one. */
  readonly operator: string | undefined;
  /** Everything that it printed so far. */
  output(): string;
  /** Stops it by SIGTERM, waits for its end and removes its data unless they were handed in. */
  stop(): Promise<number | null>;
}

export interface StartOptions {
  readonly parameters?: readonly string[];
  /** Added to this process's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Kept after the service has stopped. */
  readonly dataDirectory?: string;
  readonly timeoutMilliseconds?: number;
  /** Runs the sources in place of what was built of them. */
  readonly fromSources?: boolean;
}

/** Starts the built service on a free port and waits for its ready file. */
export async function startService({
  parameters = [],
  environment = {},
  dataDirectory,
  timeoutMilliseconds = 60_000,
  fromSources = false,
}: StartOptions = {}): Promise<StartedService> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-service-"));
  const data = dataDirectory ?? join(directory, "data");
  const readyFile = join(directory, "ready.json");
  const bin = [
    ...heapOptions,
    ...(fromSources ? ["--conditions=source"] : []),
    join(root, fromSources ? "packages/service/src/bin.ts" : "packages/service/dist/bin.js"),
  ];
  const child = spawn(
    process.execPath,
    [...bin, "start", "--port", "0", "--data", data, "--ready-file", readyFile, ...parameters],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close");
  const deadline = Date.now() + timeoutMilliseconds;
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true, force: true });
      throw new Error(`The service did not become ready:\n${output}`);
    }
    await delay(50);
  }
  const { nodes, operator } = JSON.parse(readFileSync(readyFile, "utf8")) as Pick<StartedService, "nodes" | "operator">;
  return {
    process: child,
    operator,
    pid: child.pid ?? 0,
    nodes,
    dataDirectory: data,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(directory, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}

/** The node of a chain; the service serves one of each. */
export function nodeOf(service: StartedService, chain: ReadyNode["chain"]): ReadyNode {
  const node = service.nodes.find((candidate) => candidate.chain === chain);
  if (node === undefined) throw new Error(`The service serves no ${chain} node`);
  return node;
}
