import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** A running anvil, on loopback, on a port of its own choice. */
export interface Anvil {
  readonly url: string;
  /** Fulfilled when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>;
}

const startTimeoutMilliseconds = 15_000;

/**
 * Shell script that runs the program with a watchdog, which kills it when standard input ends; the kernel ensures that even when this
 * process is killed with SIGKILL. The program must never read the pipe itself, so it gets /dev/null.
 */
const watchdog = `
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
(cat <&3 >/dev/null; kill -KILL "$program") 2>/dev/null >/dev/null &
exec 3<&-
wait "$program"
`;

/** Returns the path of anvil: from its npm package, otherwise from the PATH. Undefined when it is not installed. */
export function findAnvil(): string | undefined {
  return [...packagedAnvil(), ...anvilsOnPath()].find(isExecutable);
}

function packagedAnvil(): readonly string[] {
  const require = createRequire(import.meta.url);
  try {
    return [join(dirname(require.resolve("@foundry-rs/anvil-linux-amd64/package.json")), "bin", "anvil")];
  } catch {
    // An optional dependency: absent on other systems.
    return [];
  }
}

function anvilsOnPath(): readonly string[] {
  const directories = (process.env["PATH"] ?? "").split(delimiter);
  return directories.filter((directory) => directory !== "").map((directory) => join(directory, "anvil"));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts anvil and resolves when it listens. Throws when it ends or stays silent before that. */
export async function startAnvil(path: string, options: readonly string[]): Promise<Anvil> {
  // A process group of its own: Ctrl-C in a terminal reaches this process alone, which then stops anvil in order.
  const child = spawn("/bin/sh", ["-c", watchdog, "anvil", path, "--host", "127.0.0.1", "--port", "0", ...options], {
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  child.stdin.on("error", () => {});
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  child.once("exit", () => child.stdin.end());
  try {
    return { url: await readListeningUrl(child), ended, stop };
  } catch (reason) {
    await stop();
    throw reason;
  }
}

async function readListeningUrl(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("Expected pipes");
  let lastError = "";
  createInterface(stderr).on("line", (line) => {
    lastError = line.trim() === "" ? lastError : line.trim();
  });
  const lines = createInterface(stdout);
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("anvil did not start in time")), startTimeoutMilliseconds);
    child.once("error", () => reject(new Error("anvil could not be started")));
    child.once("close", () => {
      clearTimeout(timer);
      reject(new Error(`anvil ended before it listened${lastError === "" ? "" : `: ${lastError}`}`));
    });
    // The lines after the first match must be read as well, or the pipe would fill up.
    lines.on("line", (line) => {
      const address = /^Listening on (127\.0\.0\.1:\d+)$/.exec(line.trim())?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(`http://${address}`);
    });
  });
}
