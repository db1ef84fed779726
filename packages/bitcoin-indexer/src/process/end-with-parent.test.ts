import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { networks } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { lockDirectory } from "../store/directory-lock.ts";
import { blockFileOf } from "../testing/block-file.ts";
import { longChain } from "../testing/long-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";

/** Runs a script whose children share its standard error, which ends with the last of them. */
function runParent(script: string): ChildProcess {
  return spawn(process.execPath, ["--conditions=source", "--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Kills only a parent, once it has printed something, and waits until its children are gone as well. */
async function killAlone(parent: ChildProcess): Promise<void> {
  parent.stderr?.resume();
  if (parent.stdout !== null) await once(parent.stdout, "data");
  const isOver = once(parent, "close");
  parent.kill("SIGKILL");
  await isOver;
}

/** Returns a script that forks a program and prints the first event of this name. */
function forking(program: URL, event: string): string {
  const options = { execArgv: ["--conditions=source"], stdio: ["pipe", "ignore", "inherit", "ipc"] };
  return `
    import { fork } from "node:child_process";
    const child = fork(${JSON.stringify(fileURLToPath(program))}, ${JSON.stringify(options)});
    child.once(${JSON.stringify(event)}, (value) => console.log(value));
  `;
}

const urlOf = (module: string): string => JSON.stringify(new URL(module, import.meta.url).href);

it("ends a child whose main thread is busy", async () => {
  const parent = runParent(forking(new URL("../testing/busy-process.ts", import.meta.url), "message"));
  await killAlone(parent);
  expect(parent.signalCode).toBe("SIGKILL");
});

it("does not keep a child from ending by itself", async () => {
  const parent = runParent(forking(new URL("../testing/ending-process.ts", import.meta.url), "close"));
  const [printed]: Buffer[] = parent.stdout === null ? [] : await once(parent.stdout, "data");
  expect(String(printed).trim()).toBe("7");
});

it.each(["startIndexer", "startIndexer with optional indexes"])(
  "ends what %s has started, in the middle of a bulk fill, and frees the directory",
  async (what) => {
    await withTemporaryDirectory(async (directory) => {
      const blocks = join(directory, "blk00000.dat");
      writeFileSync(blocks, blockFileOf(longChain(200), networks.regtest));
      const options = {
        directory: join(directory, "data"),
        network: "regtest",
        source: { kind: "block-files", path: blocks, follow: true },
        ...(what === "startIndexer" ? {} : { optional: { blockFilters: true, coinStatistics: true } }),
      };
      await killAlone(
        runParent(`
          import { startIndexer } from ${urlOf("../start-indexer.ts")};
          const print = () => console.log("has begun");
          startIndexer({ ...${JSON.stringify(options)}, ${what === "startIndexer" ? "onEvent" : "onOptional"}: print });
        `),
      );
      (await lockDirectory(options.directory, 0)).release();
    });
  },
);
