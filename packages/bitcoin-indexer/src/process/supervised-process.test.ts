import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type ChildDeath,
  type SupervisedProcess,
  type SupervisionOptions,
  superviseProcess,
} from "./supervised-process.ts";

describe("a supervised process", () => {
  let supervised: SupervisedProcess | undefined;

  afterEach(async () => {
    vi.useRealTimers();
    await supervised?.stop();
  });

  const node = (program: string): ChildProcess => spawn(process.execPath, ["--eval", program], { stdio: "ignore" });

  /** Resolves with the first `count` deaths. */
  function deathsOf(
    count: number,
    start: () => ChildProcess,
    options: Pick<SupervisionOptions, "startsAgain" | "hasAdvanced"> = {},
  ): Promise<ChildDeath[]> {
    return new Promise((resolve) => {
      const deaths: ChildDeath[] = [];
      supervised = superviseProcess({
        start,
        firstDelayMilliseconds: 5,
        ...options,
        onDeath(death) {
          deaths.push(death);
          if (deaths.length === count) resolve(deaths);
        },
      });
    });
  }

  it("is started again each time it dies, after a longer time", async () => {
    expect(await deathsOf(3, () => node("process.exit(3)"))).toEqual([
      { how: "exit code 3", delayMilliseconds: 5 },
      { how: "exit code 3", delayMilliseconds: 10 },
      { how: "exit code 3", delayMilliseconds: 20 },
    ]);
  });

  it("is started again as soon as the first time when it had got on before it died", async () => {
    const deaths = await deathsOf(3, () => node("process.exit(3)"), { hasAdvanced: () => true });

    expect(deaths.map(({ delayMilliseconds }) => delayMilliseconds)).toEqual([5, 5, 5]);
  });

  it("says which signal ended it", async () => {
    expect(await deathsOf(1, () => node("process.kill(process.pid, 'SIGKILL')"))).toMatchObject([
      { how: "signal SIGKILL" },
    ]);
  });

  it("says that it could not be started", async () => {
    const impossible = (): ChildProcess => {
      throw Object.assign(new Error("No memory"), { code: "ENOMEM" });
    };

    expect(await deathsOf(1, () => spawn("/nowhere/at/all"))).toMatchObject([{ how: "could not be started (ENOENT)" }]);
    await supervised?.stop();
    expect(await deathsOf(1, impossible)).toMatchObject([{ how: "could not be started (ENOMEM)" }]);
  });

  it("is left dead when starting again is no use", async () => {
    const succeeded: boolean[] = [];
    const startsAgain: SupervisionOptions["startsAgain"] = (end) => {
      succeeded.push(end.succeeded);
      return false;
    };

    expect(await deathsOf(1, () => node("process.exit(1)"), { startsAgain })).toEqual([{ how: "exit code 1" }]);
    await supervised?.ended;
    expect(await deathsOf(1, () => node(""), { startsAgain })).toEqual([{ how: "exit code 0" }]);
    expect(succeeded).toEqual([false, true]);
  });

  it("has ended only when all that it sent was received", async () => {
    const received: unknown[] = [];
    const talkative = (): ChildProcess => {
      const program = "for (let i = 0; i < 2000; i++) process.send(i, () => i === 1999 && process.exit())";
      const child = spawn(process.execPath, ["--eval", program], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
      return child.on("message", (message) => received.push(message));
    };

    await deathsOf(1, talkative, { startsAgain: () => false });

    expect(received).toHaveLength(2_000);
  });

  it("is killed at a stop when it does not end by itself, within two seconds", async () => {
    const child = spawn(
      process.execPath,
      ["--eval", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.send('up')"],
      { stdio: ["ignore", "ignore", "ignore", "ipc"] },
    );
    const stubborn = superviseProcess({ start: () => child, onDeath: () => expect.fail("nobody asked for a new one") });
    await new Promise((resolve) => child.once("message", resolve));
    const kill = vi.spyOn(child, "kill");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

    const stopped = stubborn.stop();
    expect(kill.mock.calls).toEqual([["SIGTERM"]]);
    vi.advanceTimersByTime(1_500);
    expect(kill.mock.calls).toEqual([["SIGTERM"], ["SIGKILL"]]);
    await stopped;

    expect(child.signalCode).toBe("SIGKILL");
  });

  it("does not start again after a stop, though it was waiting to", async () => {
    let starts = 0;
    await deathsOf(1, () => {
      starts += 1;
      return node("process.exit(1)");
    });

    await supervised?.stop();
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(starts).toBe(1);
  });
});
