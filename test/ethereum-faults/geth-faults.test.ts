import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevChain, startDevChain } from "../support/dev-chain.ts";
import { requireProgram } from "../support/requirement.ts";
import { secrets } from "./assert-safe-failure.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { askUntilAnswered, type GraphqlReply, type ServedService, serveOver } from "./served-service.ts";

const { path } = requireProgram("geth");

/** The precompiled contract at 4 gives what it is handed. */
const muchData = `0x${"00".repeat(250_000)}`;

/** Code that reverts with `Error(string)` of so many zero bytes, which geth also writes into its message, as six characters each. */
function revertWithZeros(length: number): string {
  const push = (value: number): string => `62${value.toString(16).padStart(6, "0")}`;
  // Stores the selector and the string's offset and length, and reverts with all of it.
  return `0x6308c379a060e01b6000526020600452${push(length)}602452${push(length + 0x44)}6000fd`;
}

describe.skipIf(path === undefined)("the service before a real geth", { timeout: 120_000 }, () => {
  let directory: string;
  let chain: DevChain;
  let proxy: FaultProxy;
  let service: ServedService;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-geth-faults-"));
    chain = await startWith("first", 4);
    proxy = await startFaultProxy(chain.geth.url);
    service = await serveOver([proxy.url], { upstream: { timeoutMilliseconds: 10_000 } });
    await service.forget();
  }, 60_000);

  afterAll(async () => {
    await service?.stop();
    await proxy?.stop();
    await chain?.geth.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function startWith(name: string, blocks: number, value = 1n): Promise<DevChain> {
    const started = await startDevChain(path ?? "", join(directory, name));
    for (let height = 1; height <= blocks; height++) await addBlock(started, value);
    return started;
  }

  async function addBlock({ signers, send, seal }: DevChain, value: bigint): Promise<void> {
    const [first, second] = signers;
    if (first === undefined || second === undefined) throw new Error("Expected accounts with means");
    await send(first, { type: 2, tip: 1_000_000n, to: second.address, value });
    await seal();
  }

  const callOf = (data: string): string => `{ block { number call(data: ${data}) { status data gasUsed } } }`;

  it.each([
    ["runs for ever", '{ data: "0x5b600056" }', { status: "0x0", data: "0x" }],
    ["reverts with a text", '{ to: "0x00000000000000000000000000000000000000c2" }', { status: "0x0" }],
    [
      "runs an invalid instruction",
      '{ to: "0x00000000000000000000000000000000000000c3" }',
      { status: "0x0", data: "0x" },
    ],
    [
      "reverts with a long text",
      `{ data: "${revertWithZeros(200_000)}" }`,
      {
        status: "0x0",
        data: `0x08c379a0${"20".padStart(64, "0")}${(200_000).toString(16).padStart(64, "0")}${"00".repeat(200_000)}`,
      },
    ],
    ["gives much", `{ to: "0x${"0".repeat(39)}4", data: "${muchData}" }`, { data: muchData, status: "0x1" }],
  ])("a call that %s is answered", async (_name, data, expected) => {
    const { status, text, data: answered } = await service.ask(callOf(data));
    expect([status, text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    expect(answered).toMatchObject({ block: { call: expected } });
  });

  it.each([
    ["has not the means", '{ from: "0x0000000000000000000000000000000000000099", value: 5 }', /insufficient funds/],
    ["has too little gas", "{ gas: 5 }", /intrinsic gas too low/],
    ["has a price below the base fee", '{ from: "0x0000000000000000000000000000000000000099", gasPrice: 1 }', /fee/],
  ])("a call that %s is refused in the node's words", async (_name, data, message) => {
    const reply = await service.ask(callOf(data));
    expect(reply.status).toBe(400);
    expect(reply.errors).toMatchObject([
      { message: expect.stringMatching(message), extensions: { code: "BAD_USER_INPUT" } },
    ]);
    expect(reply.text).not.toMatch(secrets);
    expect(reply.data).toMatchObject({ block: { call: null } });
  });

  it.each([
    ["an account at a future block", `{ block { miner(block: 999999) { balance } } }`, "NOT_FOUND"],
    ["a future block", "{ block(number: 999999) { hash } }", "NOT_FOUND"],
    ["an unknown hash", `{ block(hash: "0x${"ab".repeat(32)}") { number } }`, "NOT_FOUND"],
    ["both number and hash", `{ block(number: 1, hash: "0x${"ab".repeat(32)}") { number } }`, "BAD_USER_INPUT"],
    ["a range turned round", "{ blocks(from: 3, to: 1) { hash } }", "BAD_USER_INPUT"],
    ["a range of no end", "{ blocks(from: 0, to: 9223372036854775807) { hash } }", undefined],
    ["a range from nowhere", "{ blocks(to: 3) { hash } }", "BAD_USER_INPUT"],
    ["a negative range", "{ blocks(from: -3, to: 1) { hash } }", "BAD_USER_INPUT"],
    ["logs beyond the head", "{ logs(filter: { fromBlock: 1, toBlock: 99999 }) { data } }", "BAD_USER_INPUT"],
    ["logs of a range turned round", "{ logs(filter: { fromBlock: 3, toBlock: 1 }) { data } }", "BAD_USER_INPUT"],
    ["five topics", "{ logs(filter: { topics: [[], [], [], [], []] }) { data } }", "BAD_USER_INPUT"],
    ["an unknown operation", "query A { gasPrice } query B { gasPrice }", "BAD_USER_INPUT"],
    ["a missing variable", "query ($n: Long!) { block(number: $n) { hash } }", "BAD_USER_INPUT"],
  ])("%s is answered with what is wrong", async (_name, query, code) => {
    const reply = await service.ask(query);
    if (code === undefined) {
      expect(reply.errors.length === 0 || reply.errors[0]?.extensions.code === "BAD_USER_INPUT").toBe(true);
    } else {
      expect(reply.status).toBe(400);
      expect(reply.errors.map(({ extensions }) => extensions.code)).toEqual([code]);
    }
    expect(reply.text).not.toMatch(secrets);
    expect((await service.ask(query)).text).toBe(reply.text);
  });

  const query =
    "{ block { number hash } blocks(from: 1, to: 3) { hash transactions { value status } } two: block(number: 2) { hash } }";
  const latest = async (reply: Promise<GraphqlReply>): Promise<string | undefined> =>
    ((await reply).data as { block?: { number?: string } } | null)?.block?.number;

  it("answers of a chain that was set back as it is then", async () => {
    for (let round = 0; round < 3; round++) await service.ask(query);
    await chain.geth.call("debug_setHead", "0x2");
    await expect.poll(() => latest(service.ask("{ block { number } }")), { timeout: 5_000 }).toBe("0x2");
    const { data } = await service.ask(query);
    expect((data as { blocks: unknown[] }).blocks).toHaveLength(2);
    const { errors } = await service.ask("{ block(number: 3) { hash } }");
    expect(errors).toMatchObject([{ extensions: { code: "NOT_FOUND" } }]);
  });

  it("says that its node was killed, and answers of the chain that it comes back with", async () => {
    const before = await askUntilAnswered(() => service.ask(query));
    expect(before.errors).toEqual([]);
    process.kill(chain.geth.pid, "SIGKILL");
    await chain.geth.stop();
    const away = await service.ask("{ gasPrice }");
    expect([away.status, away.errors[0]?.extensions.code]).toEqual([503, "UPSTREAM_UNAVAILABLE"]);
    expect(away.text).not.toMatch(secrets);
    expect(service.upstream.nodes()[0]?.problem).toMatch(/reached|closed|node/);
    chain = await startWith("second", 3, 7n);
    proxy.target = chain.geth.url;
    await expect.poll(() => latest(service.ask(query))).toBe("0x3");
    const after = await service.ask(query);
    const { blocks, two } = after.data as {
      blocks: { hash: string; transactions: unknown[] }[];
      two: { hash: string };
    };
    expect(blocks.map(({ transactions }) => transactions)).toEqual(
      Array.from({ length: 3 }, () => [{ value: "0x7", status: "0x1" }]),
    );
    expect(two.hash).toBe(blocks[1]?.hash);
    expect(await chain.geth.call("eth_getBlockByNumber", "0x2", false)).toMatchObject({ hash: two.hash });
    expect(service.internalErrors).toEqual([]);
  });
});
