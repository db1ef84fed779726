import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { askRest, askRpc, waitUntil } from "../support/calls.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";

const { path } = requireProgram("btcd");

/** What the operator's listener tells of a node behind the index. */
interface UpstreamHealth {
  readonly standing: string;
  readonly breaker: string;
  readonly lag?: number;
  readonly calls: number;
}

describe.skipIf(path === undefined)("a chain served of two btcds", { timeout: 240_000 }, () => {
  let directory: string;
  let service: StartedService | undefined;
  let btcds: readonly BitcoinProgram[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-several-nodes-"));
  });

  afterEach(async () => {
    await service?.stop();
    await Promise.all(btcds.map((btcd) => btcd.stop()));
    service = undefined;
    rmSync(directory, { recursive: true });
  });

  async function upstreams(): Promise<readonly UpstreamHealth[]> {
    const health = (await (await fetch(`${service?.operator}/health`)).json()) as {
      readonly nodes: readonly { readonly chain: string; readonly upstreams?: readonly UpstreamHealth[] }[];
    };
    return health.nodes.find(({ chain }) => chain === "bitcoin")?.upstreams ?? [];
  }

  const untilStandings = async (...wanted: readonly string[]): Promise<void> => {
    await waitUntil(`the nodes are ${wanted.join(" and ")}`, async () => {
      return (await upstreams()).map(({ standing }) => standing).join() === wanted.join();
    });
  };

  /** Hands the blocks of one node to another, from a height on. */
  async function giveBlocks(from: BitcoinProgram, to: BitcoinProgram, first: number): Promise<void> {
    for (let height = first; height <= Number(await from.call("getblockcount")); height += 1) {
      await to.call("submitblock", await from.call("getblock", await from.call("getblockhash", height), 0));
    }
  }

  const untilIndexed = async (node: ReadyNode, btcd: BitcoinProgram): Promise<void> => {
    const tip = String(await btcd.call("getbestblockhash"));
    await waitUntil("the index has the best block", async () => (await askRest(node, "blocks/tip/hash")).text === tip);
  };

  it.each([
    ["one process", "1"],
    ["two processes", "2"],
  ])("by %s goes on while one of them is stopped, started again, behind, and on a fork", async (_how, processes) => {
    const programs = ["first", "second"].map((name) => prepareBtcd(path ?? "", join(directory, name)));
    btcds = await Promise.all(programs);
    const [first, second] = btcds;
    if (first === undefined || second === undefined) return expect.unreachable("there are two");
    await Promise.all([first.start(), second.start()]);
    await first.generate(5);
    await giveBlocks(first, second, 1);
    service = await startService({
      parameters: [
        ...["--operator-port", "0", "--serving-processes", processes],
        ...["--bitcoin-rpc", first.url, "--bitcoin-rpc", second.url],
      ],
      environment: { NODEWRIGHT_BITCOIN_USER: first.user, NODEWRIGHT_BITCOIN_PASSWORD: first.password },
      dataDirectory: join(directory, "data"),
    });
    const node = nodeOf(service, "bitcoin");
    await untilIndexed(node, first);
    await untilStandings("well", "well");

    // A caller who never stops, and whom nothing may fail.
    const failures: unknown[] = [];
    let asked = 0;
    let isOver = false;
    const caller = (async () => {
      while (!isOver) {
        const { result, error } = await askRpc(node, "getconnectioncount");
        if (result !== 0 || error !== null) failures.push({ result, error });
        asked += 1;
        await sleep(5);
      }
    })();

    await first.stop();
    await second.generate(4);
    await untilIndexed(node, second);
    expect(await askRest(node, "blocks/tip/height")).toEqual({ status: 200, text: "9" });
    await untilStandings("unheard", "well");

    // It has only the blocks of before.
    await first.start();
    await untilStandings("lagging", "well");
    expect((await upstreams())[0]).toMatchObject({ lag: 4 });
    await giveBlocks(second, first, 6);
    await untilStandings("well", "well");

    // The second goes to a fork that wins by one block.
    await second.call("invalidateblock", await second.call("getbestblockhash"));
    await second.generate(2);
    await untilStandings("forked", "well");
    await untilIndexed(node, second);
    await giveBlocks(second, first, 9);
    await untilStandings("well", "well");
    expect(await first.call("getbestblockhash")).toBe(await second.call("getbestblockhash"));

    // What is handed in arrives once, and its refusal is the node's own.
    const refused = await askRpc(node, "sendrawtransaction", "00");
    expect(refused.error?.code).toBe(-22);

    isOver = true;
    await caller;
    expect(failures).toEqual([]);
    expect(asked).toBeGreaterThan(50);
    await waitUntil("all calls are counted", async () => {
      const calls = (await upstreams()).map((upstream) => upstream.calls);
      return calls.reduce((sum, count) => sum + count) >= asked;
    });
    const metrics = await (await fetch(`${service.operator}/metrics`)).text();
    expect(metrics).toMatch(
      /nodewright_upstream_standing\{node="bitcoin-regtest",upstream="127\.0\.0\.1:\d+",state="well"\} 1/,
    );
  });
});
