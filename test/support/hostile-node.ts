import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HostileBodyName } from "@nodewright/upstream/testing";
import { nodeOf, type StartedService } from "./service.ts";

/** What the node sends: a body to every call, or valid blocks that are so much longer. */
export type HostileResponses = HostileBodyName | "paddedBlocks";

/** A node in a process of its own that can be told to send hostile bodies. */
export interface HostileNode {
  readonly process: ChildProcess;
  readonly bitcoinUrl: string;
  readonly ethereumUrl: string;
  /** Sends this body to every call from now on, of `length` bytes, with a pause before each 64 KiB; without a name, correct responses. */
  choose(name: HostileResponses | undefined, length?: number, pauseMilliseconds?: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startHostileNode(): Promise<HostileNode> {
  const script = fileURLToPath(new URL("hostile-node-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=source", script], { stdio: ["pipe", "pipe", "inherit"] });
  const [port] = await once(child.stdout, "data");
  const url = `http://127.0.0.1:${String(port).trim()}`;
  return {
    process: child,
    bitcoinUrl: `${url}/bitcoin`,
    ethereumUrl: `${url}/ethereum`,
    async choose(name, length = 0, pauseMilliseconds = 0) {
      await fetch(`${url}/body?name=${name ?? ""}&length=${length}&pause=${pauseMilliseconds}`, { method: "POST" });
    },
    async stop() {
      child.stdin.end();
      await once(child, "close");
    },
  };
}

/** Queries for padded blocks at once, and blocks of each of them. */
export const paddedQueries = { count: 20, blocks: 5 } as const;

/** Sends one query for blocks that no other one of these has; returns its HTTP status. */
export async function queryPaddedBlocks(service: StartedService, index: number): Promise<number> {
  const first = 1 + index * paddedQueries.blocks;
  return await queryGraphql(service, `{ blocks(from: ${first}, to: ${first + paddedQueries.blocks - 1}) { hash } }`);
}

/** Sends a GraphQL query; returns its HTTP status. */
export async function queryGraphql(service: StartedService, query: string): Promise<number> {
  const { interfaces, apikey } = nodeOf(service, "ethereum");
  const response = await fetch(`${interfaces.graphql}?apikey=${apikey}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  await response.arrayBuffer();
  return response.status;
}
