import { afterEach, describe, expect, it } from "vitest";
import { madeUpBlock } from "../../test-support/made-up-block.ts";
import {
  type MadeUpNode,
  type RpcCall,
  type RpcReply,
  type ServedInterface,
  serve,
  serveDemoChain,
  startMadeUpNode,
} from "../../test-support/serve.ts";
import { demoAccounts } from "../demo/history.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const word = (digits: string): string => `0x${digits.padStart(64, "0")}`;
const [a, b] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`];

/** Storage of a fake contract: the last digit of the address, then the number of the slot. */
const valueAt = (address: string, slot: string): string => word(`${address.at(-1)}${Number(slot)}`);

const storageMethods: Readonly<Record<string, (call: RpcCall) => unknown>> = {
  eth_getStorageValues: ({ params }) =>
    Object.fromEntries(
      Object.entries(params[0] as Record<string, string[]>).map(([address, slots]) => [
        address.toUpperCase().replace("0X", "0x"),
        slots.map((slot) => valueAt(address, slot)),
      ]),
    ),
  eth_getProof: ({ params }) => ({
    storageProof: (params[1] as string[]).map((slot) => ({
      key: `0x${Number(slot).toString(16)}`,
      value: `0x${valueAt(String(params[0]), slot).replace(/^0x0*/, "")}`,
      proof: [],
    })),
  }),
  eth_getStorageAt: ({ params }) => valueAt(String(params[0]), String(params[1])),
};

async function serveMadeUp(
  replies: Readonly<Record<string, (call: RpcCall) => unknown>>,
): Promise<ServedInterface & { readonly madeUp: MadeUpNode; readonly methods: () => string[] }> {
  const block = madeUpBlock({ number: "0x1", hash: word("1"), parentHash: word("0") });
  const node = await startMadeUpNode((call): RpcReply | undefined => {
    if (call.method.startsWith("eth_getBlockBy")) return { result: block };
    const reply = replies[call.method];
    return reply === undefined ? undefined : { result: reply(call) };
  });
  const served = await serve(node.url);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  // Probes of the node's methods are not counted.
  const methods = () =>
    node.requests
      .filter((request) => !request.includes("web3_clientVersion") && !request.includes("eth_getBlockByNumber"))
      .flat();
  return { ...served, madeUp: node, methods };
}

const slotsOf = (address: string, ...slots: readonly number[]): string =>
  `account(address: "${address}") { ${slots.map((slot) => `s${slot}: storage(slot: "${word(String(slot))}")`).join(" ")} }`;
const query = `{ block(hash: "${word("1")}") { a: ${slotsOf(a, 1, 2)} b: ${slotsOf(b, 3, 4)} again: ${slotsOf(a, 2)} } }`;
const expected = {
  block: {
    a: { s1: word("a1"), s2: word("a2") },
    b: { s3: word("b3"), s4: word("b4") },
    again: { s2: word("a2") },
  },
};

describe("several slots of accounts", () => {
  it("are one call for all accounts where the client has it", async () => {
    const served = await serveMadeUp(storageMethods);
    expect(await served.ask(query)).toMatchObject({ errors: [], data: expected });
    expect(served.methods()).toEqual(["eth_getBlockByHash", "eth_getStorageValues"]);
  });

  it("are one call for each account where it has not, and values are filled up to 32 bytes", async () => {
    const { eth_getStorageValues: _missing, ...others } = storageMethods;
    const served = await serveMadeUp(others);
    expect(await served.ask(query)).toMatchObject({ errors: [], data: expected });
    expect(served.methods().filter((method) => method === "eth_getProof")).toHaveLength(2);
    expect(served.methods()).not.toContain("eth_getStorageAt");
  });

  it("are one batch of a call for each slot where it has neither", async () => {
    const { eth_getStorageAt = () => null } = storageMethods;
    const served = await serveMadeUp({ eth_getStorageAt });
    expect(await served.ask(query)).toMatchObject({ errors: [], data: expected });
    expect(served.madeUp.requests).toContainEqual(new Array(4).fill("eth_getStorageAt"));
    // Further missing methods are detected in the background.
    let digit = 0;
    const askAnew = async (): Promise<readonly string[]> => {
      const before = served.methods().length;
      digit += 1;
      await served.ask(query.replaceAll(a, `0x${String(digit).repeat(40)}`));
      return served
        .methods()
        .slice(before)
        .filter((method) => method !== "eth_getBalance");
    };
    await expect.poll(askAnew).toEqual(new Array(2).fill("eth_getStorageAt"));
  });

  it("are not requested again, neither together nor alone", async () => {
    const served = await serveMadeUp(storageMethods);
    await served.ask(query);
    expect(await served.ask(query)).toMatchObject({ calls: 0, data: expected });
    expect(await served.ask(`{ block(hash: "${word("1")}") { ${slotsOf(b, 4)} } }`)).toMatchObject({ calls: 0 });
  });

  it("more than a client takes at once are several calls", async () => {
    const served = await serveMadeUp(storageMethods);
    const slots = Array.from({ length: 400 }, (_, slot) => slot);
    const accounts = [a, b, `0x${"c".repeat(40)}`].map((address, at) => `a${at}: ${slotsOf(address, ...slots)}`);
    // The aliases of one document are limited: they are requested in three documents at once.
    const responses = await Promise.all(
      accounts.map((account) => served.ask(`{ block(hash: "${word("1")}") { ${account} } }`)),
    );
    expect(responses.flatMap(({ errors }) => errors)).toEqual([]);
    expect(served.methods().filter((method) => method === "eth_getStorageValues")).toHaveLength(3);
  });

  it.each([[null], [{}], [[]], [{ [a]: ["0x01"] }], [{ [a]: ["1", "2"], [b]: [null, 1] }]])(
    "are an error when the client answers %j",
    async (result) => {
      const served = await serveMadeUp({ ...storageMethods, eth_getStorageValues: () => result });
      const response = await served.ask(query);
      expect(response.errors.every(({ extensions }) => extensions.code === "UPSTREAM_UNAVAILABLE")).toBe(true);
      expect(response.data).toEqual({ block: null });
    },
  );
});

describe("accounts of a real client", () => {
  it("are read in one batch, two fields of ten accounts being twenty calls", async () => {
    const served = await serveDemoChain();
    closers.push(() => served.stop());
    const { hash } = (await served.upstream.call("eth_getBlockByNumber", ["0x8", false])) as { hash: string };
    await served.ask(`{ block(hash: "${hash}") { number } }`);
    const addresses = [
      ...Object.values(demoAccounts),
      a,
      b,
      `0x${"c".repeat(40)}`,
      `0x${"d".repeat(40)}`,
      `0x${"e".repeat(40)}`,
    ];
    const ten = addresses
      .slice(0, 10)
      .map((address, at) => `a${at}: account(address: "${address}") { balance transactionCount }`);
    const text = `{ block(hash: "${hash}") { ${ten.join(" ")} } }`;
    const first = await served.ask(text);
    expect(first).toMatchObject({ errors: [], calls: 2 * ten.length });
    expect(await served.ask(text)).toMatchObject({ errors: [], calls: 0, data: first.data });
  });

  it("have the same slots, however many are requested", async () => {
    const served = await serveDemoChain();
    closers.push(() => served.stop());
    const contract = "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0";
    const together = await served.ask(`{ block(number: 8) { ${slotsOf(contract, 0, 1, 2)} } }`);
    expect(together.errors).toEqual([]);
    const alone = await Promise.all(
      [0, 1, 2].map((slot) => served.upstream.call("eth_getStorageAt", [contract, word(String(slot)), "0x8"])),
    );
    expect(together.data).toEqual({ block: { account: { s0: alone[0], s1: alone[1], s2: alone[2] } } });
  });
});
