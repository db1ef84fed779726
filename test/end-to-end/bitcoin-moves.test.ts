import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { askRest, askRpc, readRest, waitUntil } from "../support/calls.ts";
import { enableMethods } from "../support/method-access.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";

const { path } = requireProgram("btcd");

const height = 120;

describe.skipIf(path === undefined)("a service over a btcd that is moved to other chains", { timeout: 180_000 }, () => {
  let directory: string;
  let btcd: BitcoinProgram;
  let service: StartedService;
  let node: ReadyNode;
  /** Hashes of the first chain, by height. */
  let hashes: readonly string[];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-moves-"));
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"));
    await btcd.start();
    await btcd.generate(height);
    hashes = await chainOfBtcd();
    service = await startService({
      parameters: ["--bitcoin-rpc", btcd.url, "--coin-statistics"],
      environment: { NODEWRIGHT_BITCOIN_USER: btcd.user, NODEWRIGHT_BITCOIN_PASSWORD: btcd.password },
      dataDirectory: join(directory, "data"),
    });
    node = nodeOf(service, "bitcoin");
    await enableMethods(service, ["gettxoutsetinfo"]);
  }, 180_000);

  afterAll(async () => {
    await service?.stop();
    await btcd?.stop();
    rmSync(directory, { recursive: true });
  });

  async function chainOfBtcd(): Promise<readonly string[]> {
    const heights = Array.from({ length: Number(await btcd.call("getblockcount")) + 1 }, (_, index) => [index]);
    return (await btcd.callEach("getblockhash", heights)) as readonly string[];
  }

  /** Waits until the index has the node's best block, and compares everything that depends on the chain. */
  async function expectFollowed(): Promise<void> {
    const chain = await chainOfBtcd();
    const tip = chain.at(-1) ?? "";
    await waitUntil("the index has the node's best block", async () => {
      return (await askRest(node, "blocks/tip/hash")).text === tip;
    });
    expect((await askRest(node, "blocks/tip/height")).text).toBe(String(chain.length - 1));
    for (let at = 0; at < chain.length; at += 1) {
      expect(await askRest(node, `block-height/${at}`)).toEqual({ status: 200, text: chain[at] });
    }
    expect((await askRest(node, `block-height/${chain.length}`)).status).toBe(404);
    expect(await askRpc(node, "getblockcount")).toMatchObject({ result: chain.length - 1 });
    // The optional indexes follow the main one.
    for (const [method, ...params] of [
      ["gettxoutsetinfo", "muhash"],
      ["getblockfilter", tip],
    ] as const)
      await waitUntil(`${method} has its index`, async () => (await askRpc(node, method, ...params)).error === null);
    const { result } = await askRpc(node, "gettxoutsetinfo", "muhash");
    expect(result).toMatchObject({ height: chain.length - 1, bestblock: tip, txouts: chain.length - 1 });
    expect(await askRpc(node, "getblockfilter", tip)).toMatchObject({ error: null });
    for (const [at, hash] of hashes.entries()) {
      expect(await readRest(node, `block/${hash}/status`)).toMatchObject({ in_best_chain: chain[at] === hash });
    }
  }

  it.each([
    ["the tip", height],
    ["ten blocks", height - 9],
    ["all but the first two blocks", 2],
  ])("follows while it invalidates %s, and while it reconsiders them", async (_what, from) => {
    await expectFollowed();
    await btcd.call("invalidateblock", hashes[from]);
    expect(await btcd.call("getblockcount")).toBe(from - 1);
    await expectFollowed();
    await btcd.call("reconsiderblock", hashes[from]);
    expect(await btcd.call("getbestblockhash")).toBe(hashes.at(-1));
    await expectFollowed();
  });

  it.each([
    ["equal", height - 3, 4],
    ["less", height - 20, 5],
  ])("follows to another chain with %s work", async (_what, from, others) => {
    await btcd.call("invalidateblock", hashes[from]);
    await btcd.generate(others);
    expect(await btcd.call("getblockcount")).toBe(from - 1 + others);
    await expectFollowed();
    await btcd.call("invalidateblock", (await chainOfBtcd())[from]);
    await btcd.call("reconsiderblock", hashes[from]);
    await expectFollowed();
  });

  it("follows after it was invalidated while the service was down", async () => {
    await service.stop();
    await btcd.call("invalidateblock", hashes[height - 7]);
    service = await startService({
      parameters: ["--bitcoin-rpc", btcd.url, "--coin-statistics"],
      environment: { NODEWRIGHT_BITCOIN_USER: btcd.user, NODEWRIGHT_BITCOIN_PASSWORD: btcd.password },
      dataDirectory: join(directory, "data"),
    });
    node = nodeOf(service, "bitcoin");
    await expectFollowed();
    await btcd.call("reconsiderblock", hashes[height - 7]);
    await expectFollowed();
  });
});
