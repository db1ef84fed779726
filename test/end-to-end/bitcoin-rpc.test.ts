import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { askHealth, askRest, askRpc, readRest, waitUntil } from "../support/calls.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { launch } from "./launch.ts";

const { path } = requireProgram("btcd");

describe.skipIf(path === undefined)("a service over btcd", { timeout: 120_000 }, () => {
  let directory: string;
  let btcd: BitcoinProgram;
  let service: StartedService | undefined;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-btcd-"));
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"));
    await btcd.start();
  });

  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await btcd.stop();
    rmSync(directory, { recursive: true });
  });

  async function serve(): Promise<{ readonly service: StartedService; readonly node: ReadyNode }> {
    const environment = { NODEWRIGHT_BITCOIN_USER: btcd.user, NODEWRIGHT_BITCOIN_PASSWORD: btcd.password };
    const parameters = ["--bitcoin-rpc", btcd.url];
    service = await startService({ parameters, environment, dataDirectory: join(directory, "data") });
    return { service, node: nodeOf(service, "bitcoin") };
  }

  const tipHash = async (node: ReadyNode) => (await askRest(node, "blocks/tip/hash")).text;
  const waitForTip = (node: ReadyNode, hash: string | undefined) =>
    waitUntil(`the tip is ${hash}`, async () => (await tipHash(node)) === hash);

  it("answers both interfaces with the node's blocks, and with new ones soon after it has them", async () => {
    await btcd.generate(120);
    const { node } = await serve();
    expect(node.id).toBe("bitcoin-regtest");
    await waitForTip(node, String(await btcd.call("getbestblockhash")));

    for (const height of [0, 1, 119, 120]) await expectSameBlock(node, height);
    const { chain_stats } = (await readRest(node, `address/${btcd.miningAddress}`)) as { chain_stats: unknown };
    expect(chain_stats).toMatchObject({ tx_count: 120, funded_txo_count: 120, spent_txo_count: 0 });

    for (const count of [1, 3]) {
      const hashes = await btcd.generate(count);
      await waitForTip(node, hashes.at(-1));
    }
    await expectSameBlock(node, 120);
    await expectSameBlock(node, 124);
    expect(await askRpc(node, "getblockcount")).toMatchObject({ result: 124, error: null });
  });

  /** Holds a block of the service against the node's own description of it. */
  async function expectSameBlock(node: ReadyNode, height: number): Promise<void> {
    const hash = String(await btcd.call("getblockhash", height));
    const serialized = await btcd.call("getblock", hash, 0);
    const described = (await btcd.call("getblock", hash, 1)) as Readonly<Record<string, unknown>>;
    // btcd reckons difficulty from its own network's limit, names the parent that genesis does not have, and has nulls of its own.
    const comparable = Object.entries(described).filter(
      ([name, value]) => name !== "difficulty" && value !== null && value !== "0".repeat(64),
    );

    expect(await askRest(node, `block-height/${height}`)).toEqual({ status: 200, text: hash });
    expect(await askRpc(node, "getblock", hash, 0)).toMatchObject({ result: serialized });
    const { result } = await askRpc(node, "getblock", hash);
    expect(result).toMatchObject(Object.fromEntries(comparable));
    expect(await readRest(node, `block/${hash}`)).toMatchObject({
      id: hash,
      height,
      timestamp: described["time"],
      size: described["size"],
      weight: described["weight"],
      merkle_root: described["merkleroot"],
      nonce: described["nonce"],
    });
    expect(await readRest(node, `block/${hash}/txids`)).toEqual(described["tx"]);
  }

  it("follows a reorganisation from its fork point, and tells the stale blocks from the others", async () => {
    await btcd.generate(10);
    const stale = await btcd.generate(4);
    const { node } = await serve();
    await waitForTip(node, stale.at(-1));
    const [lowestStale = ""] = stale;
    const [staleCoinbase = ""] = (await readRest(node, `block/${lowestStale}/txids`)) as readonly string[];
    const statusOf = async (txid: string) => (await readRest(node, `tx/${txid}/status`)) as unknown;
    expect(await statusOf(staleCoinbase)).toMatchObject({ confirmed: true, block_height: 11 });

    await btcd.call("invalidateblock", lowestStale);
    const branch = await btcd.generate(6);
    await waitForTip(node, branch.at(-1));

    for (const height of [0, 10, 11, 14, 16]) await expectSameBlock(node, height);
    expect(await askRpc(node, "getblockcount")).toMatchObject({ result: 16 });
    for (const hash of stale) {
      expect((await askRest(node, `block/${hash}`)).status).toBe(404);
      expect(await readRest(node, `block/${hash}/status`)).toMatchObject({ in_best_chain: false });
      expect(await askRpc(node, "getblockheader", hash)).toMatchObject({ result: { hash, confirmations: -1 } });
      expect(await askRpc(node, "getblock", hash)).toMatchObject({ result: { hash, confirmations: -1 } });
    }
    expect(await statusOf(staleCoinbase)).toEqual({ confirmed: false });
    const { chain_stats } = (await readRest(node, `address/${btcd.miningAddress}`)) as { chain_stats: unknown };
    expect(chain_stats).toMatchObject({ tx_count: 16, funded_txo_count: 16 });

    await btcd.call("reconsiderblock", lowestStale);
    await btcd.call("invalidateblock", branch[0]);
    const back = await btcd.generate(3);
    await waitForTip(node, back.at(-1));
    expect(await askRpc(node, "getblock", lowestStale)).toMatchObject({ result: { height: 11, confirmations: 7 } });
    expect(await statusOf(staleCoinbase)).toMatchObject({ confirmed: true, block_height: 11 });
    await expectSameBlock(node, 17);
  });

  it("finds, at its start, that the node has left the chain it knew", async () => {
    await btcd.generate(5);
    const stale = await btcd.generate(2);
    const first = await serve();
    await waitForTip(first.node, stale.at(-1));
    await first.service.stop();
    await btcd.call("invalidateblock", stale[0]);
    const branch = await btcd.generate(4);

    const { node } = await serve();

    await waitForTip(node, branch.at(-1));
    for (const height of [5, 6, 9]) await expectSameBlock(node, height);
    expect(await askRpc(node, "getblock", stale[1])).toMatchObject({ result: { height: 7, confirmations: -1 } });
  });

  it("serves what it has while the node is gone, says so, and goes on when it is back", async () => {
    const hashes = await btcd.generate(8);
    const { service: running, node } = await serve();
    await waitForTip(node, hashes.at(-1));
    expect(await askHealth(node)).toBe("ok");

    await btcd.stop();
    await waitUntil("it says that the node is gone", () =>
      /bitcoin-regtest: stalled, height 8, .*: The node could not be reached/.test(running.output()),
    );
    expect(await tipHash(node)).toBe(hashes.at(-1));
    expect(await askRpc(node, "getblock", hashes[3])).toMatchObject({ result: { height: 4 } });
    expect(await askHealth(node)).toBe("degraded");

    await btcd.start();
    const [next] = await btcd.generate(1);
    await waitForTip(node, next);
    await waitUntil("all is well", async () => (await askHealth(node)) === "ok");
  });

  it("keeps the node's user and password to itself", async () => {
    await btcd.generate(2);
    const { service: running, node } = await serve();
    await btcd.stop();
    await waitUntil("it says that the node is gone", () => running.output().includes("stalled"));
    const answers = [await askRpc(node, "getinfo"), await askRpc(node, "help"), await askRest(node, "tx/00")];
    // Stopped first: a store that is written to changes its files under the reader.
    await endOf(running);

    const told = running.output() + JSON.stringify(answers);
    const kept = readTree(join(directory, "data"));
    expect(kept.length).toBeGreaterThan(0);
    for (const secret of [btcd.password, Buffer.from(`${btcd.user}:${btcd.password}`).toString("base64")]) {
      expect(told).not.toContain(secret);
      expect(kept.filter((file) => file.includes(secret))).toEqual([]);
    }
    expect(told).not.toContain(new URL(btcd.url).host);
  });

  async function endOf(running: StartedService): Promise<void> {
    await running.stop();
    service = undefined;
  }

  it("says in one sentence that the node refuses the password", async () => {
    const words = ["start", "--port", "0", "--data", join(directory, "data"), "--bitcoin-rpc", btcd.url];
    const wrong = { NODEWRIGHT_BITCOIN_USER: btcd.user, NODEWRIGHT_BITCOIN_PASSWORD: "quite-another-word" };

    const launched = launch(words, wrong);

    expect((await launched.ended).code).toBe(1);
    expect(launched.errors()).toMatch(/^The Bitcoin node of --bitcoin-rpc .*refused the service's credentials.*\.\n$/);
    expect(launched.output() + launched.errors()).not.toContain("quite-another-word");
  });
});

/** Contents of all files below a directory. */
function readTree(directory: string): readonly Buffer[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file));
}
