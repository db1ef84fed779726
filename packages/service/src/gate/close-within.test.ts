import { once } from "node:events";
import { Agent, type ClientRequest, get } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWithin } from "./close-within.ts";

describe("closeWithin", () => {
  let app: FastifyInstance;
  let arrived: Promise<void>;
  let answer: (text: string) => void;

  beforeEach(async () => {
    app = fastify({ forceCloseConnections: "idle" });
    let arrive = (): void => {};
    arrived = new Promise((resolve) => (arrive = resolve));
    const answered = new Promise<string>((resolve) => (answer = resolve));
    app.get("/", async () => {
      arrive();
      return await answered;
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
  });

  afterEach(async () => {
    vi.useRealTimers();
    answer("late");
    await app.close();
  });

  function send(agent: Agent): ClientRequest {
    const sent = get({ port: (app.server.address() as AddressInfo).port, host: "127.0.0.1", agent });
    sent.on("error", () => {});
    return sent;
  }

  it("lets a request under way be answered, and leaves no timer behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const response = once(send(new Agent()), "response");
    await arrived;
    const closed = closeWithin(app, 1_000);
    vi.advanceTimersByTime(999);
    answer("answered");

    expect(await text((await response)[0])).toBe("answered");
    await closed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("cuts the connection of a request that is not answered in time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const cut = once(send(new Agent()), "error");
    await arrived;
    const closed = closeWithin(app, 1_000);
    vi.advanceTimersByTime(1_000);

    expect((await cut)[0]).toMatchObject({ code: "ECONNRESET" });
    await closed;
  });
});
