import { findAnvil } from "../../packages/ethereum-graphql/src/demo/anvil.ts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Anvil, prepareAnvil } from "../support/anvil.ts";
import { type FaultProxy, type ProxiedCall, startFaultProxy } from "./fault-proxy.ts";
import { askUntilAnswered, type GraphqlReply, type ServedService, serveOver } from "./served-service.ts";

// Anvil makes its chain anew for each reorganisation: a second on an idle machine, half a minute on a busy one.
vi.setConfig({ testTimeout: 120_000 });

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Served {
  readonly anvil: Anvil;
  readonly proxy: FaultProxy;
  readonly service: ServedService;
}

const path = findAnvil() ?? "anvil";
const [ann, ben] = ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"];

async function serveAnvil(blocks = 6, chainId?: string): Promise<Served> {
  const anvil = await prepareAnvil(path, 1_337);
  await anvil.start();
  closers.push(() => anvil.stop());
  for (let height = 1; height <= blocks; height++) await send(anvil, height);
  const proxy = await startFaultProxy(anvil.url);
  closers.push(() => proxy.stop());
  const service = await serveOver([proxy.url], {
    upstream: { heads: { words: "ethereum", pollMilliseconds: 100, chainId } },
  });
  closers.push(() => service.stop());
  await service.forget();
  return { anvil, proxy, service };
}

async function send(anvil: Anvil, value: number): Promise<void> {
  await anvil.call("eth_sendTransaction", { from: ann, to: ben, value: `0x${value.toString(16)}`, gas: "0x5208" });
}

interface BlockData {
  readonly number: string;
  readonly hash: string;
  readonly parent?: { readonly hash: string };
  readonly account?: { readonly balance: string };
  readonly transactions?: readonly { readonly hash: string; readonly value: string; readonly status: string }[];
}

const fields = "number hash parent { hash timestamp } transactions { hash value status }";
const queries: Readonly<Record<string, string>> = {
  "blocks one by one": `{ ${[6, 5, 4, 3].map((height) => `b${height}: block(number: ${height}) { ${fields} }`).join(" ")} }`,
  "a range": `{ blocks(from: 3, to: 6) { ${fields} } }`,
  "the head, its account and blocks": `{ head: block { number hash account(address: "${ben}") { balance } }
    three: block(number: 3) { hash } five: block(number: 5) { ${fields} } }`,
  "a range and its logs": `{ blocks(from: 4, to: 6) { ${fields} } logs(filter: { fromBlock: 1, toBlock: 5 }) { index } }`,
};

/** Other blocks in place of the last ones, of the same length or longer. */
async function reorganise(anvil: Anvil, depth: number): Promise<void> {
  await anvil.call("anvil_reorg", depth, []);
}

describe.each(Object.keys(queries))("a chain that is reorganised while it is read: %s", (name) => {
  it.each([1, 2, 3])("before request %d to the node, is answered of one version, or not at all", async (turn) => {
    const { anvil, proxy, service } = await serveAnvil();
    const query = queries[name] ?? "";
    for (const depth of [2, 4]) {
      service.forgetChain();
      if (turn === 2) await service.ask("{ block { number } }");
      const before = await service.ask(query);
      expect(before.errors).toEqual([]);
      service.forgetChain();
      let requests = 0;
      proxy.beforeCalls = async (calls: readonly ProxiedCall[]) => {
        const isHeadPoll = calls.length === 1 && calls[0]?.method === "eth_getBlockByNumber";
        if (calls.length === 1 && isHeadPoll && calls[0]?.params[0] === "latest" && requests === 0) return;
        requests += 1;
        if (requests === turn) await reorganise(anvil, depth);
      };
      const during = await service.ask(query);
      proxy.heal();
      const after = await askUntilAnswered(() => service.ask(query));
      expect(after.errors).toEqual([]);
      expect(after.data).toEqual((await direct(proxy, query)).data);
      expectOneVersion(during, before, after);
    }
    expect(service.internalErrors).toEqual([]);
  });
});

/** What a service answers that knows nothing of before. */
async function direct(proxy: FaultProxy, query: string): Promise<GraphqlReply> {
  const service = await serveOver([proxy.url]);
  try {
    return await service.ask(query);
  } finally {
    await service.stop();
  }
}

/** Whether an answer is that of the chain before, or after, or an error that says what happened; nothing of both. */
function expectOneVersion(during: GraphqlReply, before: GraphqlReply, after: GraphqlReply): void {
  if (during.status === 200) {
    expect([JSON.stringify(before.data), JSON.stringify(after.data)]).toContain(JSON.stringify(during.data));
    return;
  }
  for (const { message, extensions } of during.errors) {
    expect(extensions.code, message).toBe("UPSTREAM_UNAVAILABLE");
    expect(message).toMatch(/reorganized|does not have|another block/);
  }
  // What is there beside the errors is of one of them.
  const told = hashesIn(during.data);
  const olds = hashesIn(before.data);
  const news = hashesIn(after.data);
  const isOld = [...told].every((hash) => olds.has(hash));
  const isNew = [...told].every((hash) => news.has(hash));
  expect(isOld || isNew, JSON.stringify(during.data)).toBe(true);
}

function hashesIn(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value === "string" && value.length === 66) found.add(value);
  else if (typeof value === "object" && value !== null)
    for (const member of Object.values(value)) hashesIn(member, found);
  return found;
}

describe("a chain that goes back", () => {
  it("to an earlier state is answered as it is then", async () => {
    const { anvil, service } = await serveAnvil(3);
    const snapshot = await anvil.call("evm_snapshot");
    for (let value = 100; value < 105; value++) await send(anvil, value);
    const query = `{ block { number hash account(address: "${ben}") { balance } } b: block(number: 4) { hash } }`;
    expect((await askUntil(service, query, "0x8")).errors).toEqual([]);
    await anvil.call("evm_revert", snapshot);
    await askUntil(service, "{ block { number } }", "0x3");
    const gone = await service.ask("{ block(number: 4) { hash } }");
    expect(gone.errors).toMatchObject([{ message: "Block number 4 was not found", extensions: { code: "NOT_FOUND" } }]);
    await send(anvil, 200);
    const again = await askUntil(service, query, "0x4");
    const { block, b } = again.data as { readonly block: BlockData; readonly b: BlockData };
    expect(block.hash).toBe(b.hash);
    expect(await anvil.call("eth_getBlockByNumber", "0x4", false)).toMatchObject({ hash: b.hash });
    expect(block.account?.balance).toBe(await anvil.call("eth_getBalance", ben, "latest"));
  });

  it("to its first block, at a node that was started anew, is answered as it is then", async () => {
    const { anvil, proxy, service } = await serveAnvil();
    const query = `{ blocks(from: 1, to: 4) { ${fields} } block { number hash account(address: "${ben}") { balance } } }`;
    for (let round = 0; round < 3; round++) await service.ask(query);
    await anvil.stop();
    const away = await service.ask("{ gasPrice }");
    expect(away.status).toBe(503);
    expect(away.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
    await anvil.start();
    for (let value = 1_000; value < 1_003; value++) await send(anvil, value);
    const reply = await askUntil(service, query, "0x3");
    expect(reply.errors).toEqual([]);
    expect(reply.data).toEqual((await direct(proxy, query)).data);
    const { blocks } = reply.data as { readonly blocks: readonly BlockData[] };
    expect(blocks.map(({ transactions }) => transactions?.[0]?.value)).toEqual(["0x3e8", "0x3e9", "0x3ea"]);
    expect(service.internalErrors).toEqual([]);
  });

  it.each([1, 9])("and is one of another id, with %d blocks, is not answered from", async (length) => {
    const { proxy, service } = await serveAnvil(3, "0x539");
    expect((await service.ask("{ block { hash } }")).status).toBe(200);
    const other = await prepareAnvil(path, 4_242);
    await other.start();
    closers.push(() => other.stop());
    for (let value = 1; value <= length; value++) await send(other, value);
    proxy.target = other.url;
    const end = performance.now() + 25_000;
    const ask = (): Promise<GraphqlReply> => service.ask("{ gasPrice block { number transactions { value } } }");
    let reply = await ask();
    while (reply.status !== 503 && performance.now() < end) reply = await ask();
    for (let round = 0; round < 5; round++) {
      reply = await ask();
      expect(reply.status, reply.text).toBe(503);
      expect(reply.errors[0]?.extensions.code).toBe("UPSTREAM_UNAVAILABLE");
      expect(reply.data).toBeNull();
    }
    expect(service.upstream.nodes()[0]?.problem).toBe("It has another chain than the one that is wanted");
    expect(service.internalErrors).toEqual([]);
  });
});

/** Asks until the latest block has a number; for five seconds at most. */
async function askUntil(service: ServedService, query: string, number: string): Promise<GraphqlReply> {
  const end = performance.now() + 25_000;
  for (;;) {
    const reply = await service.ask(query);
    const { block } = (reply.data ?? {}) as { readonly block?: BlockData | null };
    if ((reply.status === 200 && block?.number === number) || performance.now() > end) return reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
