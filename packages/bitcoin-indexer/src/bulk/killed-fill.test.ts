import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { networks } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { blockFileOf } from "../testing/block-file.ts";
import type { BatchLimits } from "../sync/run-indexer.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { longChain, randomNumbers } from "../testing/long-chain.ts";
import { StubNode, tipsOf } from "../testing/stub-node.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import type { BulkLimits } from "./bulk-target.ts";

const program = fileURLToPath(new URL("../testing/indexing-process.ts", import.meta.url));

/** `npm run test:long` kills more fills, at moments that another seed gives. */
const moments = process.env["NODEWRIGHT_LONG"] === "1" ? 200 : 10;
const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 20_261_121);

/** Whether a disk of a few megabytes can be mounted here. */
const mayMount = spawnSync("unshare", ["-rm", "true"]).status === 0;
if (!mayMount) console.warn("This machine lets nobody mount: the test with a full disk is skipped.");

/** Limits that cause many segments, spills and transactions in a short chain. */
const limits: Partial<BulkLimits> = {
  minimumBytes: 0,
  segmentBytes: 15_000,
  unspentWords: 4_000,
  sorterWords: 20_000,
  rowsPerTransaction: 200,
  runsPerMerge: 4,
  batchBytes: 4_000,
  threads: 1,
};

interface Run {
  /** Whether it was killed before it had ended by itself. */
  readonly wasKilled: boolean;
  /** Its exit code, or the signal that ended it. */
  readonly end: number | NodeJS.Signals | null;
  /** Message about its failure. */
  readonly said: string;
  /** Milliseconds from its first output. */
  readonly duration: number;
}

/** Runs an indexer, and kills it some time after its first output: before that it has written nothing. */
async function run(directory: string, path: string, killAfter?: number, batchLimits?: BatchLimits): Promise<Run> {
  const texts = [limits, ...(batchLimits === undefined ? [] : [batchLimits])].map((value) => JSON.stringify(value));
  const child = spawn(process.execPath, ["--conditions=source", program, directory, path, ...texts], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const closed = once(child, "close");
  await Promise.race([once(child.stdout, "data"), closed]);
  const start = performance.now();
  if (killAfter !== undefined) {
    await Promise.race([delay(killAfter), closed]);
    child.kill("SIGKILL");
  }
  child.stdout.resume();
  const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
  return { wasKilled: signal === "SIGKILL", end: signal ?? code, said, duration: performance.now() - start };
}

/** Kills fills from `place` and continues them, again and again. Returns how many were killed, and how many had begun to write. */
async function killFills(
  directory: string,
  place: string,
  from: number,
): Promise<{ readonly killed: number; readonly begun: number }> {
  const clean = join(directory, "clean");
  const { said, end, duration } = await run(clean, place);
  expect({ said, end }).toEqual({ said: "", end: 0 });
  const random = randomNumbers(from);
  let killed = 0;
  let begun = 0;
  for (let moment = 0; moment < moments; moment += 1) {
    const killedIndex = join(directory, "killed");
    const { wasKilled } = await run(killedIndex, place, (random.next().value / 2 ** 32) * duration);
    if (wasKilled) killed += 1;
    if (existsSync(join(killedIndex, "bulk"))) begun += 1;
    expect(await run(killedIndex, place)).toMatchObject({ end: 0, said: "" });
    expect(await compareIndexes(killedIndex, clean)).toEqual([]);
    expect(readdirSync(join(killedIndex, "blocks"))).toEqual(["blk00000.dat"]);
    rmSync(killedIndex, { recursive: true });
  }
  return { killed, begun };
}

it(
  `goes on after kill -9 at ${moments} moments to the index of an undisturbed start`,
  async () => {
    await withTemporaryDirectory(async (directory) => {
      const path = join(directory, "blk00000.dat");
      writeFileSync(path, blockFileOf(longChain(200), networks.regtest));
      const { killed, begun } = await killFills(directory, path, seed);
      console.log(
        `killed within the fill: ${killed} of ${moments}, ${begun} of them with a part to go on from, seed ${seed}`,
      );
      expect(begun).toBeGreaterThan(0);
    });
  },
  moments * 120_000,
);

it(
  `goes on after kill -9 at ${moments} moments of a fill from a node`,
  async () => {
    const node = new StubNode(tipsOf(longChain(200)));
    await node.start();
    try {
      await withTemporaryDirectory(async (directory) => {
        const { killed, begun } = await killFills(directory, node.url, seed + 1);
        console.log(
          `killed within the fill: ${killed} of ${moments} from a node, ${begun} of them with a part to go on from, seed ${seed}`,
        );
        expect(begun).toBeGreaterThan(0);
      });
    } finally {
      await node.stop();
    }
  },
  moments * 120_000,
);

it(
  `goes on after kill -9 at ${moments} moments of an extension`,
  async () => {
    await withTemporaryDirectory(async (directory) => {
      const path = join(directory, "blk00000.dat");
      const chain = longChain(200);
      const half = join(directory, "half");
      writeFileSync(path, blockFileOf(chain.slice(0, 80), networks.regtest));
      await run(half, path);
      writeFileSync(path, blockFileOf(chain, networks.regtest));
      const clean = join(directory, "clean");
      expect(await run(clean, path)).toMatchObject({ end: 0, said: "" });
      const killedIndex = join(directory, "killed");
      // Limits with which few blocks are a round.
      const batchLimits: BatchLimits = { blocks: 10, items: 50, bytes: 10_000 };
      cpSync(half, killedIndex, { recursive: true });
      const { duration } = await run(killedIndex, path, undefined, batchLimits);
      const random = randomNumbers(seed + 2);
      let killed = 0;
      for (let moment = 0; moment < moments; moment += 1) {
        rmSync(killedIndex, { recursive: true });
        cpSync(half, killedIndex, { recursive: true });
        const { wasKilled } = await run(killedIndex, path, (random.next().value / 2 ** 32) * duration, batchLimits);
        if (wasKilled) killed += 1;
        expect(await run(killedIndex, path, undefined, batchLimits)).toMatchObject({ end: 0, said: "" });
        expect(await compareIndexes(killedIndex, clean)).toEqual([]);
      }
      console.log(`killed within an extension: ${killed} of ${moments}, seed ${seed}`);
      expect(killed).toBeGreaterThan(0);
    });
  },
  moments * 120_000,
);

it.skipIf(!mayMount)("says that the disk is full, and goes on once there is room", async () => {
  await withTemporaryDirectory(async (directory) => {
    const path = join(directory, "blk00000.dat");
    writeFileSync(path, blockFileOf(longChain(200), networks.regtest));
    mkdirSync(join(directory, "disk"));
    const command = `"$0" --conditions=source "$1" disk/index "$2" "$3"`;
    // Until it has reported so, or for half a minute.
    const script = `set -e
mount -t tmpfs -o size=600k tmpfs disk
: > full.txt
${command} > /dev/null 2> full.txt &
for attempt in $(seq 300); do grep -q stalled full.txt && break; sleep 0.1; done
ls disk/index > left
mount -o remount,size=20m disk
wait $!
cp -r disk/index copy
`;
    const { status, stderr } = spawnSync(
      "unshare",
      ["-rm", "sh", "-c", script, process.execPath, program, path, JSON.stringify(limits)],
      { cwd: directory, encoding: "utf8", timeout: 60_000 },
    );
    expect(stderr).toBe("");
    expect(status).toBe(0);
    // LMDB reports a write that only partly fit as an I/O error.
    expect(readFileSync(join(directory, "full.txt"), "utf8")).toMatch(
      /^stalled: The index can't be written \((?:ENOSPC|EIO)\): /m,
    );
    // Finished work is kept, and not yet visible.
    const left = readFileSync(join(directory, "left"), "utf8").split("\n");
    expect(left).toContain("bulk");
    expect(left).not.toContain("layout.json");
    const clean = join(directory, "clean");
    await run(clean, path);
    expect(await compareIndexes(join(directory, "copy"), clean)).toEqual([]);
  });
});
