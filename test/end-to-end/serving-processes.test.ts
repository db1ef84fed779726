import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbeddedRegistry } from "../../packages/service/src/registry/embedded-registry.ts";
import type { ReadyNode } from "../support/service.ts";
import {
  commandLineOf,
  descendantsOf,
  endBy,
  isRunning,
  type Launch,
  launch,
  waitFor,
  waitForNodes,
} from "./launch.ts";

describe("a service of several serving processes", { timeout: 120_000 }, () => {
  let directory: string;
  let launched: Launch | undefined;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "nodewright-serving-"));
  });

  afterEach(async () => {
    if (launched !== undefined && isRunning(launched.pid)) await endBy(launched, "SIGTERM");
    launched = undefined;
    await rm(directory, { recursive: true });
  });

  async function start(): Promise<{ readonly running: Launch; readonly bitcoin: ReadyNode; readonly url: string }> {
    const readyFile = join(directory, "ready.json");
    const data = join(directory, "data");
    const running = launch([
      ...["start", "--port", "0", "--serving-processes", "2", "--data", data, "--ready-file", readyFile],
    ]);
    launched = running;
    const bitcoin = (await waitForNodes(running, readyFile)).find(({ chain }) => chain === "bitcoin");
    if (bitcoin === undefined) throw new Error("No bitcoin node");
    return { running, bitcoin, url: `${bitcoin.interfaces.rest}/blocks/tip/height?apikey=${bitcoin.apikey}` };
  }

  function servingProcesses({ pid }: Launch): readonly number[] {
    return descendantsOf(pid).filter((child) => commandLineOf(child).includes("serving-process"));
  }

  /** The status that one connection is answered with; undefined when it is cut. */
  async function statusOf(url: string, agent: Agent): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const request = get(url, { agent }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode));
    });
    request.once("error", () => resolve(undefined));
    return promise;
  }

  /** One connection after the other comes to the next process. */
  async function withConnections<Result>(use: (connections: readonly Agent[]) => Promise<Result>): Promise<Result> {
    const connections = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    try {
      return await use(connections);
    } finally {
      for (const connection of connections) connection.destroy();
    }
  }

  it("answers from each, to keys that are in force with that very request", async () => {
    const { running, bitcoin, url } = await start();
    expect(servingProcesses(running)).toHaveLength(2);
    const health = `${new URL(bitcoin.endpoint).origin}/healthz`;
    const registry = await openEmbeddedRegistry(join(directory, "data/registry"));
    try {
      await withConnections(async (connections) => {
        const ask = (target: string) => Promise.all(connections.map((connection) => statusOf(target, connection)));
        expect(await ask(health)).toEqual([200, 200, 200, 200]);
        expect(await ask(url)).toEqual([200, 200, 200, 200]);
        const keys = registry.listSubscriptions(bitcoin.id).flatMap(({ id }) => registry.listKeys(id));
        for (const { id } of keys) await registry.revokeKey(id);
        expect(await ask(url)).toEqual([401, 401, 401, 401]);
      });
    } finally {
      await registry.close();
    }
  });

  it("starts one that has died again, while the other serves", async () => {
    const { running, url } = await start();
    const [victim = 0, other = 0] = servingProcesses(running);
    process.kill(victim, "SIGKILL");
    // A connection that is dealt to it before its death is known is lost with it.
    await waitFor(() => running.errors().includes("has ended"));
    expect(isRunning(victim)).toBe(false);
    expect(await withConnections(([connection = new Agent()]) => statusOf(url, connection))).toBe(200);
    await waitFor(() => servingProcesses(running).length === 2);
    expect(servingProcesses(running)).toContain(other);
    expect(running.errors()).toMatch(/Serving process \d has ended \(signal SIGKILL\); starting it again in 0\.1 s\./);
    await waitFor(() =>
      withConnections(async (connections) => {
        const statuses = await Promise.all(connections.map((connection) => statusOf(url, connection)));
        return statuses.every((status) => status === 200);
      }),
    );
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("leaves nothing behind after %s", async (signal) => {
    const { running } = await start();
    const processes = descendantsOf(running.pid);
    const { code } = await endBy(running, signal);
    expect(code).toBe(signal === "SIGTERM" ? 0 : null);
    await waitFor(() => processes.every((pid) => !isRunning(pid)));
  });

  it("says in a sentence that its port is in use", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    try {
      const address = holder.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const data = join(directory, "data");
      launched = launch(["start", "--port", String(port), "--serving-processes", "2", "--data", data]);
      expect((await launched.ended).code).toBe(1);
      expect(launched.errors()).toContain(`Port ${port} is in use by another program`);
    } finally {
      holder.close();
    }
  });
});
