import { setTimeout as sleep } from "node:timers/promises";
import { faults } from "@nodewright/upstream/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findAnvil } from "../../packages/ethereum-graphql/src/demo/anvil.ts";
import { type Anvil, prepareAnvil } from "../support/anvil.ts";
import { secrets } from "./assert-safe-failure.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type GraphqlReply, type ServedService, serveOver } from "./served-service.ts";

const blockCount = 6;
const transactionsOfBlock = 150;
const ann = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

let anvil: Anvil;
let proxy: FaultProxy;
let service: ServedService;

beforeAll(async () => {
  anvil = await prepareAnvil(findAnvil() ?? "anvil", 1_337);
  await anvil.start();
  await anvil.call("evm_setAutomine", false);
  for (let height = 1; height <= blockCount; height++) {
    for (let count = 0; count < transactionsOfBlock; count++) {
      // Leaves a log, and is a creation.
      await anvil.call("eth_sendTransaction", { from: ann, data: "0x60006000a000", gas: "0x186a0" });
    }
    await anvil.call("evm_mine");
  }
  proxy = await startFaultProxy(anvil.url);
  service = await serveOver([proxy.url], {
    upstream: { timeoutMilliseconds: 10_000 },
    node: { cacheBytes: 4_000_000 },
    costGate: { capacity: 8_000, minimumCost: 100, maximumWaiting: 20, maximumWaitMilliseconds: 2_000 },
  });
  await service.forget();
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await anvil?.stop();
});

afterEach(() => {
  proxy.heal();
  expect(service.internalErrors).toEqual([]);
});

const whole =
  "number hash transactions { hash value from { address } status gasUsed logs { index data topics } createdContract { address } }";

/** Another text each time, so that no two are answered together. */
function heavyQuery(position: number): string {
  return `query Heavy${position} { blocks(from: 1, to: ${blockCount}) { ${whole} } }`;
}

describe("many heavy queries at once", () => {
  it("are answered one after the other or refused, within bounded memory, and others go on", async () => {
    const first = await service.ask(heavyQuery(0));
    expect(first.status).toBe(200);
    const rssBefore = process.memoryUsage.rss();
    let mostRss = rssBefore;
    const watching = setInterval(() => (mostRss = Math.max(mostRss, process.memoryUsage.rss())), 20);
    const replies: GraphqlReply[] = [];
    const heavy = Promise.all(
      Array.from({ length: 200 }, async (_, position) => replies.push(await service.ask(heavyQuery(position + 1)))),
    );
    let areDone = false;
    void heavy.then(() => (areDone = true));
    const times: number[] = [];
    while (!areDone) {
      const start = performance.now();
      expect((await service.ask("{ block { number hash } }")).status).toBe(200);
      times.push(performance.now() - start);
      await sleep(5);
    }
    await heavy;
    clearInterval(watching);
    const answered = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 503);
    expect(answered.length + refused.length).toBe(200);
    expect(answered.length).toBeGreaterThan(0);
    for (const { data } of answered) expect(data).toEqual(first.data);
    for (const { headers, errors, text } of refused) {
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(errors.length, text).toBeGreaterThan(0);
      expect(text).not.toMatch(secrets);
    }
    const sorted = times.toSorted((one, other) => one - other);
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
    const megabytes = (mostRss - rssBefore) / 1e6;
    console.info(
      `200 heavy queries: ${answered.length} answered, ${refused.length} refused with Retry-After; ` +
        `${megabytes.toFixed(0)} MB more at most; ${times.length} small ones meanwhile, p99 ${p99.toFixed(0)} ms`,
    );
    // The callers are in this process as well.
    expect(megabytes).toBeLessThan(500);
    expect((await service.ask(heavyQuery(0))).status).toBe(200);
  });
});

describe("a caller who goes away", () => {
  it("ends the calls of the node that nobody else waits for", async () => {
    proxy.fault = faults["hangs"];
    proxy.faultyMethods = new Set(["eth_getLogs"]);
    const query = "{ logs(filter: { fromBlock: 1, toBlock: 3 }) { data } }";
    const callers = Array.from({ length: 20 }, () => new AbortController());
    const asking = callers.map(({ signal }, position) =>
      service.ask(query.replace("{", `query Q${position} {`), {}, { signal }).catch(() => undefined),
    );
    await until(() => proxy.isOpen("eth_getLogs"));
    for (const caller of callers.slice(1)) caller.abort();
    await sleep(100);
    // One still waits.
    expect(proxy.isOpen("eth_getLogs")).toBe(true);
    callers[0]?.abort();
    await until(() => !proxy.isOpen("eth_getLogs"));
    await Promise.all(asking);
    await until(() => service.upstream.nodes().every(({ outstanding }) => outstanding === 0));
  });

  it("again and again, leaves nothing behind", async () => {
    const warnings: unknown[] = [];
    const onWarning = (warning: unknown): void => void warnings.push(warning);
    process.on("warning", onWarning);
    for (let round = 0; round < 100; round++) {
      const caller = new AbortController();
      const asking = service.ask(heavyQuery(round), {}, { signal: caller.signal }).catch(() => undefined);
      await sleep(round % 7);
      caller.abort();
      await asking;
    }
    await until(() => service.upstream.nodes().every(({ outstanding }) => outstanding === 0));
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
    expect((await service.ask(heavyQuery(0))).status).toBe(200);
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 25_000;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error("It has not come true in time");
    await sleep(10);
  }
}
