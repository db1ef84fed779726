import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bitcoinSuite } from "@nodewright/bitcoin-api/conformance";
import { handlers as rpc } from "@nodewright/bitcoin-node";
import { RegtestChain, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import { toHex } from "@nodewright/bitcoin-primitives";
import { playSuite, type Report, renderPlainReport } from "@nodewright/conformance";
import { handlers as rest } from "@nodewright/index-rest";
import { createHttpUpstream, type Upstream } from "@nodewright/upstream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { requireProgram } from "../support/requirement.ts";
import { createDemoIndex, type DemoIndex } from "./bitcoin-node.ts";
import { rpcSuiteOf } from "./rpc-suite-of.ts";

const { path } = requireProgram("btcd");

const methods = rpcSuiteOf(bitcoinSuite).operations.flatMap(({ method, extensions }) =>
  extensions.nodeControl ? [method] : [],
);

/** What btcd cannot do: they are answered that it does not offer them. */
const notOfBtcd = ["preciousblock", "pruneblockchain", "savemempool"];

describe.skipIf(path === undefined)(
  "the methods that act on a node, over a btcd of one's own",
  { timeout: 120_000 },
  () => {
    let directory: string;
    let btcd: BitcoinProgram;
    let upstream: Upstream;
    let index: DemoIndex;
    let served: Awaited<ReturnType<DemoIndex["serve"]>>;

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), "nodewright-control-"));
      btcd = await prepareBtcd(path ?? "", join(directory, "btcd"));
      await btcd.start();
      const { url, user, password } = btcd;
      upstream = createHttpUpstream({ url, credentials: { kind: "password", user, password } });
      index = await createDemoIndex();
      served = await index.serve({ rest, rpc }, upstream);
    }, 120_000);

    afterAll(async () => {
      await served?.close();
      await index?.close();
      await upstream?.close();
      await btcd?.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    async function play(only: readonly string[]): Promise<Report> {
      const report = await playSuite(bitcoinSuite, {
        baseUrl: served.rpcUrl,
        // By their cases: "node" is the name of a tag too, which "stop" has.
        only: only.map((method) => `${method}/*`),
        examples: "exact",
        enabled: methods,
        mayBeMissing: notOfBtcd,
        allowWrites: true,
      });
      console.log(renderPlainReport(report));
      expect(report.cases.filter(({ verdict }) => verdict === "failed")).toEqual([]);
      expect(report.totals).toMatchObject({ untested: 0, "not-sent": 0 });
      return report;
    }

    async function call(method: string, ...params: readonly unknown[]): Promise<unknown> {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      return await (await fetch(served.rpcUrl, { method: "POST", body })).json();
    }

    test("are carried out as the document says, or not offered by this node", async () => {
      const report = await play(methods.filter((method) => method !== "stop"));
      // Those that are only passed on are looked for as well.
      const missing = report.operations.flatMap(({ availability, operation }) =>
        availability === "missing" ? operation : [],
      );
      expect(missing.filter((method) => methods.includes(method)).sort()).toEqual(notOfBtcd);
      expect(missing).toEqual(expect.arrayContaining(["getdescriptoractivity", "getorphantxs", "decodepsbt"]));
      for (const { method, examples } of rpcSuiteOf(bitcoinSuite).operations) {
        if (!missing.includes(method)) continue;
        const params = Object.values(examples.find(({ outcome }) => outcome.kind === "success")?.input ?? {});
        const refusal = { error: { code: -32601, data: { reason: "not-implemented" } } };
        expect(await call(method, ...params), method).toMatchObject(refusal);
      }
      // The example of generate has made one.
      expect(await btcd.call("getblockcount")).toBe(1);
    });

    test("take a block once, and say why they do not take others", async () => {
      const chain = new RegtestChain();
      const extend = (parent: RegtestTip, opcode: number) => chain.extend(parent, Uint8Array.of(opcode));
      const first = extend(chain.genesis, 0x51);
      const second = extend(first, 0x51);
      const submit = async ({ bytes }: RegtestTip) => await call("submitblock", toHex(bytes));
      // Beside the block that the node has made itself.
      expect(await submit(extend(chain.genesis, 0x52))).toMatchObject({ result: "inconclusive", error: null });
      expect(await submit(second)).toMatchObject({ result: "prev-blk-not-found", error: null });
      // The other has waited for it, and both together are the longest chain.
      expect(await submit(first)).toMatchObject({ result: null, error: null });
      expect(await btcd.call("getblockcount")).toBe(2);
      for (const block of [first, second])
        expect(await submit(block)).toMatchObject({ result: "duplicate", error: null });
      const refusal = { code: -22, message: "Block decode failed" };
      expect(await call("submitblock", toHex(second.bytes.subarray(1)))).toMatchObject({ error: refusal });
    });

    test("stop the node at last", async () => {
      await play(["stop"]);
      await expect.poll(() => call("getconnectioncount")).toMatchObject({ error: { code: -32603 } });
    });
  },
);
