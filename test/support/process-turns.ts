import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { TurnFigures } from "./turn-meter.ts";

const patienceMilliseconds = 120_000;

/** Returns the environment that a process is started with, so that its turns can be measured. `file` takes the figures. */
export function turnsEnvironment(file: string): Readonly<Record<string, string>> {
  const preload = new URL("turn-preload.ts", import.meta.url).href;
  return { NODE_OPTIONS: `--import=${preload}`, NODEWRIGHT_TURNS: file };
}

/** Measures the turns of the event loop of a process with that environment, while `work` is done. */
export async function measureTurnsOf(pid: number, file: string, work: () => Promise<unknown>): Promise<TurnFigures> {
  process.kill(pid, "SIGUSR2");
  try {
    await work();
  } finally {
    process.kill(pid, "SIGUSR2");
  }
  const deadline = performance.now() + patienceMilliseconds;
  for (;;) {
    const figures = existsSync(file) ? readFileSync(file, "utf8") : "";
    // The file is there before its content is.
    if (figures.endsWith("}")) {
      rmSync(file);
      return JSON.parse(figures) as TurnFigures;
    }
    if (performance.now() > deadline) throw new Error(`Process ${pid} has written no turns`);
    await sleep(20);
  }
}
