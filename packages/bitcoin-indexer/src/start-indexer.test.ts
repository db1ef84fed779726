import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { displayHash, fromHex, hashScript, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { openChainIndex } from "./chain-index-reader.ts";
import type { IndexerEvent } from "./sync/indexer-event.ts";
import { type IndexerProcess, startIndexer } from "./start-indexer.ts";
import { damagedBlocks } from "./store/damage-reports.ts";
import { openEmbeddedStore } from "./engine/embedded-store.ts";
import { blockFileOf } from "./testing/block-file.ts";
import { compareIndexes } from "./testing/compare-indexes.ts";
import { demoBlockFile } from "./testing/demo-chain.ts";
import { longChain } from "./testing/long-chain.ts";
import { withTemporaryDirectory } from "./testing/temporary-directory.ts";

const network = networks.mainnet;
const demo = { network: "mainnet", source: { kind: "block-files", path: demoBlockFile } } as const;
const demoHeight = 14_131;

/** Source without a listener: an indexer of it lives, and waits. */
const nowhere = { kind: "node", upstream: { url: "http://127.0.0.1:9/" } } as const;

interface Started {
  readonly indexer: IndexerProcess;
  readonly events: readonly IndexerEvent[];
  until(fits: (event: IndexerEvent) => boolean): Promise<IndexerEvent>;
}

function start(options: Parameters<typeof startIndexer>[0]): Started {
  const events: IndexerEvent[] = [];
  const waiting = new Set<() => void>();
  const indexer = startIndexer({
    ...options,
    onEvent: (event) => {
      events.push(event);
      for (const look of waiting) look();
    },
  });
  return {
    indexer,
    events,
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const event = events.find(fits);
          if (event === undefined) return;
          waiting.delete(look);
          resolve(event);
        };
        waiting.add(look);
        look();
      }),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it("indexes the first 14,132 blocks of mainnet, while a reader that was there before sees them come", async () => {
  await withTemporaryDirectory(async (directory) => {
    const reader = openChainIndex(directory, { network });
    expect(await reader.tip()).toBeUndefined();
    const { indexer, events } = start({ directory, ...demo });
    const seen: number[] = [];
    let hasEnded = false;
    indexer.ended.then(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      seen.push((await reader.tip())?.height ?? -1);
      await sleep(5);
    }
    seen.push((await reader.tip())?.height ?? -1);
    expect(events.at(-1)).toMatchObject({ state: "ready", height: demoHeight, blocks: 14_132, transactions: 14_247 });
    expect(seen).toEqual(seen.toSorted((left, right) => left - right));
    expect(seen.at(-1)).toBe(demoHeight);
    expect(new Set(seen).size).toBeGreaterThan(2);

    expect(await reader.tip()).toMatchObject({
      hash: "00000000b3e750f37fdb42e1018799a9f44b546d393b130b369590a072430a1c",
      height: demoHeight,
      onBestChain: true,
    });
    const genesis = await reader.blockByHeight(0);
    expect(genesis).toMatchObject({ hash: network.genesisHash, size: 285, weight: 1140, medianTime: 1231006505 });
    expect(genesis?.chainWork).toBe(0x100010001n);
    expect(genesis && "previousHash" in genesis).toBe(false);

    const txid = "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16";
    const payment = await reader.transaction(txid);
    expect(payment).toMatchObject({
      txid,
      fee: 0n,
      block: {
        hash: "00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee",
        height: 170,
        position: 1,
        time: 1231731025,
      },
    });
    expect(payment && displayHash(payment.transaction.txid)).toBe(txid);
    const [spent] = payment?.previousOutputs ?? [];
    expect(spent).toMatchObject({ value: 5_000_000_000n, height: 9, isCoinbase: true });
    // The public key that block 9 pays to.
    const key =
      "0411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3";
    const script = fromHex(`41${key}ac`) ?? new Uint8Array(0);
    expect(spent && toHex(spent.scriptPubKey)).toBe(toHex(script));
    const scriptHash = toHex(hashScript(script));
    const statistics = await reader.scriptStatistics(scriptHash);
    const history = await reader.scriptHistory(scriptHash, { limit: 100 });
    expect(statistics.transactions).toBe(history.length);
    expect(history.map(({ block }) => block?.height)).toContain(170);
    const [, change] = (await reader.spends(txid)) ?? [];
    expect(change).toMatchObject({
      txid: "a16f3ce4dd5deb92d98ef5cf8afeaf0775ebca408f708b2146c4fb42b41e14be",
      vin: 0,
      block: { height: 181 },
    });
    await reader.close();
  });
});

it("repairs what was reported damaged before it ends with a source that does not grow", async () => {
  await withTemporaryDirectory(async (directory) => {
    const file = join(directory, "chain.dat");
    const chain = longChain(300);
    writeFileSync(file, blockFileOf(chain, networks.regtest));
    const data = join(directory, "data");
    const options = { directory: data, network: "regtest", source: { kind: "block-files", path: file } } as const;
    await start(options).indexer.ended;
    const path = join(data, "blocks", "blk00000.dat");
    const sound = readFileSync(path);
    writeFileSync(path, Buffer.from(sound).fill(0, 1_000));
    const reader = openChainIndex(data, { network: networks.regtest });
    for (const height of [200, 250]) {
      const hash = displayHash(parseBlock(chain[height] ?? new Uint8Array(0)).header.hash);
      await expect(reader.rawBlock(hash)).rejects.toMatchObject({ code: "block-unreadable" });
    }
    await reader.close();
    expect(damagedBlocks(data)).toHaveLength(2);
    await start(options).indexer.ended;
    expect(damagedBlocks(data)).toEqual([]);
  });
});

/** Times of the kills of one run each, in milliseconds after it has reported that it indexes. */
const killMoments = [3, 40, 110, 170, 250];

it("goes on after kill -9 at any moment, and ends with the rows of a clean build", async () => {
  await withTemporaryDirectory(async (directory) => {
    const killed = join(directory, "killed");
    const clean = join(directory, "clean");
    for (const moment of killMoments) {
      const { indexer, until } = start({ directory: killed, ...demo });
      await until(({ state }) => state === "indexing");
      await sleep(moment);
      const { pid } = indexer;
      if (pid !== undefined) process.kill(pid, "SIGKILL");
      await indexer.stop();
    }
    const { indexer, events } = start({ directory: killed, ...demo });
    await indexer.ended;
    expect(events.at(-1)).toMatchObject({ state: "ready", height: demoHeight });
    await start({ directory: clean, ...demo }).indexer.ended;
    expect(await compareIndexes(killed, clean)).toEqual([]);
  });
});

it.each(["SIGKILL", "SIGTERM"] as const)(
  "starts a process that %s has ended again by itself, and says so",
  async (signal) => {
    await withTemporaryDirectory(async (directory) => {
      const { indexer, until, events } = start({ directory, network: "regtest", source: nowhere });
      await until(({ state }) => state === "stalled");
      const { pid } = indexer;
      if (pid !== undefined) process.kill(pid, signal);
      const death = await until(({ reason }) => reason?.includes("starting it again in 0.5 s") ?? false);
      expect(death.state).toBe("stalled");
      await until((event) => events.indexOf(event) > events.indexOf(death));
      expect(indexer.pid).not.toBe(pid);
      await indexer.stop();
    });
  },
);

it("ends for good when a source that never changes is indexed, though its process may have been killed on the way", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { indexer, until, events } = start({ directory, ...demo });
    await until(({ state }) => state === "indexing");
    process.kill(indexer.pid ?? 0, "SIGKILL");
    await indexer.ended;
    expect(events.map(({ state }) => state)).toContain("stalled");
    expect(events.at(-1)).toMatchObject({ state: "ready", height: demoHeight });
    expect(indexer.pid).toBeUndefined();
  });
});

it("shows its configuration to nobody", async () => {
  await withTemporaryDirectory(async (directory) => {
    const credentials = { kind: "password", user: "alice", password: "a very private word" } as const;
    const source = { kind: "node", upstream: { ...nowhere.upstream, credentials } } as const;
    const { indexer, until, events } = start({ directory, network: "regtest", source });
    await until(({ state }) => state === "stalled");
    for (const file of ["cmdline", "environ"]) {
      const shown = readFileSync(`/proc/${indexer.pid}/${file}`, "utf8");
      expect(shown.length).toBeGreaterThan(0);
      expect(shown).not.toContain("private");
    }
    await indexer.stop();
    expect(JSON.stringify(events)).not.toMatch(/private|alice|127\.0\.0\.1/);
  });
});

it("leaves Ctrl-C to its parent", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { indexer, until } = start({ directory, network: "regtest", source: nowhere });
    await until(({ state }) => state === "stalled");
    const { pid } = indexer;
    // Linux lists the signals that a process handles itself as bits, SIGINT being the second.
    const [, handled = "0"] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    expect(BigInt(`0x${handled}`) & 2n).toBe(2n);
    process.kill(pid ?? 0, "SIGINT");
    expect(isAlive(pid ?? 0)).toBe(true);
    await indexer.stop();
    expect(isAlive(pid ?? 0)).toBe(false);
  });
});

it("stops at a committed batch", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { indexer, until, events } = start({ directory, ...demo });
    await until(({ height }) => height >= 0);
    const { pid } = indexer;
    await indexer.stop();
    expect(isAlive(pid ?? 0)).toBe(false);
    const last = events.at(-1);
    const store = await openEmbeddedStore(directory, network);
    // One that takes too long is killed, and can't report any more what it has committed.
    expect((await store.tip()).height).toBeGreaterThanOrEqual(last?.height ?? 0);
    await store.close();
  });
});

it("waits while another indexer works on the data directory, says so, and goes on when that has ended", async () => {
  await withTemporaryDirectory(async (directory) => {
    const first = start({ directory, network: "regtest", source: nowhere });
    await first.until(({ state }) => state === "stalled");
    const path = join(directory, "blk00000.dat");
    writeFileSync(path, blockFileOf(longChain(20), networks.regtest));
    const second = start({ directory, network: "regtest", source: { kind: "block-files", path } });
    expect(await second.until(({ state }) => state !== "indexing")).toMatchObject({
      state: "stalled",
      reason:
        `Another indexer (process ${first.indexer.pid}) works on the data directory ${directory}: ` +
        "stop it, or choose another directory.",
    });
    await first.indexer.stop();
    await second.indexer.ended;
    expect(second.events.at(-1)).toMatchObject({ state: "ready", height: 20 });
  });
});

it("says that its source is missing, and leaves an index that can be read", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { indexer, events } = start({
      directory,
      network: "regtest",
      source: { kind: "block-files", path: join(directory, "missing.dat") },
    });
    await indexer.ended;
    expect(events.at(-1)).toMatchObject({ state: "failed" });
    const reader = openChainIndex(directory, { network: networks.regtest });
    expect(await reader.tip()).toBeUndefined();
    await reader.close();
  });
});
