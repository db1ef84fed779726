import { fork } from "node:child_process";
import { on, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HeavySizes } from "./heavy-chain.ts";
import type { HeavyServerCommand, HeavyServerMessage, ServedFacts } from "./heavy-server.ts";
import type { TurnFigures } from "./turn-meter.ts";

/** A request, as long as its answer is of no interest. */
export interface HeavyRequest {
  /** Below the origin. */
  readonly path: string;
  /** Posted; without it the path is read. */
  readonly body?: string | undefined;
}

interface RequestFigures extends TurnFigures {
  /** Of the first answer. */
  readonly status: number;
  readonly bytes: number;
  /** Of the first answer. */
  readonly start: string;
}

/** A server in a process of its own whose turns are measured. */
export interface HeavyNode {
  readonly facts: ServedFacts;
  /** Sends requests all at once and measures until all are answered. */
  measure(requests: readonly HeavyRequest[]): Promise<RequestFigures>;
  stop(): Promise<void>;
}

/** Makes the chains and serves them. */
export async function startHeavyNode(sizes: HeavySizes): Promise<HeavyNode> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-heavy-"));
  const program = fileURLToPath(new URL("heavy-server.ts", import.meta.url));
  const child = fork(program, [directory, JSON.stringify(sizes)], {
    execArgv: ["--conditions=source"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const messages = on(child, "message", { close: ["exit"] });
  const next = async (): Promise<HeavyServerMessage> => {
    const { value, done } = await messages.next();
    if (done === true) throw new Error("The server has ended");
    return (value as unknown as readonly [HeavyServerMessage])[0];
  };
  const tell = (command: HeavyServerCommand): void => void child.send(command);
  const ready = await next();
  if (ready.kind !== "ready") throw new Error("The server has not said that it is ready");
  return {
    facts: ready.facts,
    async measure(requests) {
      tell("start");
      const answers = await Promise.all(requests.map((request) => send(ready.origin, request)));
      tell("stop");
      const message = await next();
      if (message.kind !== "figures") throw new Error("The server has no figures");
      const [first = { status: 0, text: "" }] = answers;
      return {
        ...message.figures,
        status: first.status,
        bytes: first.text.length,
        start: first.text.slice(0, 200),
      };
    },
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function send(
  origin: string,
  { path, body }: HeavyRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(origin + path, body === undefined ? {} : { method: "POST", body });
  return { status: response.status, text: await response.text() };
}
