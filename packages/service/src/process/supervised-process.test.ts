import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { type ChildDeath, type SupervisedProcess, superviseProcess } from "./supervised-process.ts";

describe("a supervised process", () => {
  let supervised: SupervisedProcess | undefined;

  afterEach(async () => supervised?.stop());

  const node = (program: string): ChildProcess => spawn(process.execPath, ["--eval", program], { stdio: "ignore" });

  /** Resolves with the first `count` deaths. */
  function deathsOf(count: number, start: () => ChildProcess, startsAgain?: () => boolean): Promise<ChildDeath[]> {
    return new Promise((resolve) => {
      const deaths: ChildDeath[] = [];
      supervised = superviseProcess({
        start,
        firstDelayMilliseconds: 5,
        ...(startsAgain === undefined ? {} : { startsAgain }),
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

  it("says which signal ended it", async () => {
    expect(await deathsOf(1, () => node("process.kill(process.pid, 'SIGKILL')"))).toMatchObject([
      { how: "signal SIGKILL" },
    ]);
  });

  it("says that it could not be started", async () => {
    expect(await deathsOf(1, () => spawn("/nowhere/at/all"))).toMatchObject([{ how: "could not be started (ENOENT)" }]);
  });

  it("is left dead when starting again is no use", async () => {
    const deaths = await deathsOf(
      1,
      () => node("process.exit(1)"),
      () => false,
    );

    expect(deaths).toEqual([{ how: "exit code 1" }]);
  });

  it("is killed at a stop when it does not end by itself, within two seconds", async () => {
    const child = spawn(
      process.execPath,
      ["--eval", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.send('up')"],
      { stdio: ["ignore", "ignore", "ignore", "ipc"] },
    );
    const stubborn = superviseProcess({ start: () => child, onDeath: () => expect.fail("nobody asked for a new one") });
    await new Promise((resolve) => child.once("message", resolve));
    const startedAt = performance.now();

    await stubborn.stop();

    expect(child.signalCode).toBe("SIGKILL");
    expect(performance.now() - startedAt).toBeLessThan(2_000);
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
