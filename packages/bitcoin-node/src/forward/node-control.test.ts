import { documentText } from "@nodewright/bitcoin-api/document";
import { toHex } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BitcoinNodeContext } from "../context/context.ts";
import { handlers } from "../handlers/index.ts";
import { createScriptedNode, likeBtcd, likeCore, refused, type ScriptedResponse } from "../testing/scripted-node.ts";
import { type IndexedChain, indexChain } from "../testing/test-chain.ts";

interface MarkedMethod {
  readonly name: string;
  readonly "x-node-control"?: boolean;
  readonly "x-served-by": "index" | "node";
}

const { methods } = JSON.parse(documentText) as { readonly methods: readonly MarkedMethod[] };

let chain: IndexedChain;
let block: string;
let hash: string;

beforeAll(async () => {
  chain = await indexChain(1);
  block = toHex(chain.tip.bytes);
  hash = (await chain.index.tip())?.hash ?? "";
});

afterAll(() => chain.close());

type AnyHandler = (input: unknown, context: BitcoinNodeContext) => unknown;

async function call(method: string, input: unknown, context: BitcoinNodeContext): Promise<unknown> {
  const handler = (handlers as Readonly<Record<string, AnyHandler | undefined>>)[method];
  if (handler === undefined) return expect.unreachable(`${method} has no handler`);
  return await handler(input, context);
}

/** Calls of each, with the expected calls of the node, and their results. */
const cases = (): Readonly<
  Record<string, readonly [input: unknown, asked: unknown, response?: ScriptedResponse, result?: unknown]>
> => ({
  stop: [{}, { method: "stop", params: [] }, "btcd stopping.", "btcd stopping."],
  node: [
    { subcmd: "connect", target: "203.0.113.7:8333" },
    { method: "node", params: ["connect", "203.0.113.7:8333", "temp"] },
  ],
  addnode: [
    { node: "203.0.113.7", command: "add" },
    { method: "addnode", params: ["203.0.113.7", "add"] },
  ],
  debuglevel: [{ levelspec: "show" }, { method: "debuglevel", params: ["show"] }, "Done.", "Done."],
  generate: [{ numblocks: 2 }, { method: "generate", params: [2] }, [hash], [hash]],
  setgenerate: [{ generate: true }, { method: "setgenerate", params: [true, -1] }],
  invalidateblock: [{ blockhash: hash.toUpperCase() }, { method: "invalidateblock", params: [hash] }],
  reconsiderblock: [{ blockhash: hash }, { method: "reconsiderblock", params: [hash] }],
  preciousblock: [{ blockhash: hash }, { method: "preciousblock", params: [hash] }],
  pruneblockchain: [{ height: 7 }, { method: "pruneblockchain", params: [7] }, 6, 6],
  savemempool: [
    {},
    { method: "savemempool", params: [] },
    { filename: "/home/alice/.bitcoin/mempool.dat" },
    { filename: "mempool.dat" },
  ],
  submitblock: [
    { hexdata: block },
    { method: "submitblock", params: [block] },
    "rejected: already have block",
    "duplicate",
  ],
});

const controlling = methods.filter((method) => method["x-node-control"] === true).map(({ name }) => name);

it("is tested for every method that acts on the node", () => {
  expect(Object.keys(cases()).sort()).toEqual(controlling.toSorted());
});

describe.each(controlling)("%s", (method) => {
  const at = () => cases()[method] ?? expect.unreachable();

  it("is never forwarded from a shared node, whatever is enabled", async () => {
    const node = createScriptedNode({ ...likeBtcd, [method]: null });
    const context = chain.context({ upstream: node.upstream, isShared: true });
    await expect(async () => await call(method, at()[0], context)).rejects.toMatchObject({
      code: "method_disabled",
      rpcCode: -32601,
      details: { reason: "method-disabled", method },
    });
    expect(node.calls).toEqual([]);
  });

  it("is not forwarded from a node of the caller's own before it is enabled", async () => {
    const node = createScriptedNode({ ...likeBtcd, [method]: null });
    const methodAccess = { isEnabled: (name: string) => name !== method, enableHint: "Ask." };
    const context = chain.context({ upstream: node.upstream, methodAccess });
    await expect(async () => await call(method, at()[0], context)).rejects.toMatchObject({
      details: { reason: "method-disabled", method, enable: "Ask." },
    });
    expect(node.calls).toEqual([]);
  });

  it("is forwarded once from a node of the caller's own where it is enabled", async () => {
    const [input, asked, response = null, result = null] = at();
    const node = createScriptedNode({ ...likeBtcd, [method]: response });
    expect(await call(method, input, chain.context({ upstream: node.upstream }))).toEqual(result);
    expect(node.calls.filter((made) => made.method === method)).toEqual([asked]);
  });

  it("is said to be missing where the node has no such method", async () => {
    const node = createScriptedNode(method === "node" ? likeBtcd : likeCore);
    const context = chain.context({ upstream: node.upstream });
    await expect(async () => await call(method, at()[0], context)).rejects.toMatchObject({
      rpcCode: -32601,
      details: { reason: "not-implemented", method },
    });
  });
});

const refusalOf = async (method: string, input: unknown, responses: Readonly<Record<string, ScriptedResponse>>) =>
  await call(
    method,
    input,
    chain.context({ upstream: createScriptedNode({ ...likeBtcd, ...responses }).upstream }),
  ).then(
    () => expect.unreachable(method),
    (error: unknown) => error,
  );

describe("what a node answers", () => {
  it.each([
    ["stop", [7, null, {}]],
    ["debuglevel", [7, null]],
    ["generate", ["x", {}, [7]]],
    ["pruneblockchain", [null, "6", 1.5, -2, 2_147_483_648]],
    ["savemempool", [null, "mempool.dat", {}, { filename: 7 }]],
    ["submitblock", [7, {}]],
  ])("to %s is passed on in one form alone", async (method, responses) => {
    const [input] = cases()[method] ?? expect.unreachable();
    for (const response of responses) {
      expect(await refusalOf(method, input, { [method]: response }), JSON.stringify(response)).toMatchObject({
        code: "upstream_unavailable",
        message: `The node's response to ${method} can't be read`,
      });
    }
  });

  it.each([-1, 0, 2_147_483_647])("to pruneblockchain is a height: %i", async (pruneblockchain) => {
    const { upstream } = createScriptedNode({ ...likeCore, pruneblockchain });
    expect(await call("pruneblockchain", { height: 7 }, chain.context({ upstream }))).toBe(pruneblockchain);
  });

  it("names no place on its disk", async () => {
    const reported = async (filename: string) => {
      const { upstream } = createScriptedNode({ ...likeCore, savemempool: { filename } });
      return await call("savemempool", {}, chain.context({ upstream }));
    };
    expect(await reported("C:\\Users\\alice\\mempool.dat")).toEqual({ filename: "mempool.dat" });
    expect(await reported("mempool.dat")).toEqual({ filename: "mempool.dat" });
    expect(await reported("/srv/")).toEqual({ filename: "" });
  });
});

describe("what a node refuses", () => {
  const notFound = refused(-5, "Block not found in /srv/x");
  const malformed = refused(-32600, "Invalid request");

  it.each(["preciousblock", "invalidateblock", "reconsiderblock"])("of %s has a reason", async (method) => {
    const refusal = async (responses: Readonly<Record<string, ScriptedResponse>>) =>
      await refusalOf(method, { blockhash: hash }, responses);
    const unknownBlock = { rpcCode: -5, message: "Block not found" };
    expect(await refusal({ [method]: notFound })).toMatchObject(unknownBlock);
    expect(await refusal({ [method]: malformed, getblockheader: notFound })).toMatchObject(unknownBlock);
    expect(await refusal({ [method]: malformed, getblockheader: "00" })).toMatchObject({
      rpcCode: -20,
      message: "The node could not change its chain",
    });
    const other = refused(-8, "Something else");
    expect(await refusal({ [method]: malformed, getblockheader: other })).toMatchObject({
      rpcCode: -8,
      message: "Something else",
    });
    expect(await refusal({ [method]: other, getblockheader: notFound })).toMatchObject({ rpcCode: -8 });
    const node = createScriptedNode({ ...likeBtcd, [method]: malformed, getblockheader: "00" });
    await expect(call(method, { blockhash: hash }, chain.context({ upstream: node.upstream }))).rejects.toThrow();
    expect(node.calls.at(-1)).toEqual({ method: "getblockheader", params: [hash, false] });
  });

  it("of debuglevel is about its parameter", async () => {
    const refusal = async (error: Error) => await refusalOf("debuglevel", { levelspec: "x" }, { debuglevel: error });
    expect(await refusal(refused(-32602, "level x of /srv/y is invalid"))).toMatchObject({
      rpcCode: -8,
      message: "level x of (path) is invalid",
    });
    expect(await refusal(refused(-7, "seven"))).toMatchObject({ rpcCode: -7, message: "seven" });
  });

  it.each(["generate", "setgenerate"])("of %s is no failure of the node", async (method) => {
    const [input] = cases()[method] ?? expect.unreachable();
    const refusal = async (code: number, message: string) =>
      await refusalOf(method, input, { [method]: refused(code, message) });
    const noAddress = "No payment addresses specified via --miningaddr";
    expect(await refusal(-32603, noAddress)).toMatchObject({ rpcCode: -1, message: noAddress });
    expect(await refusal(-5, "No support for `generate` on this network")).toMatchObject({
      rpcCode: -1,
      message: "No support for `generate` on this network",
    });
    expect(await refusal(-32603, "limited user not authorized for this method")).toMatchObject({
      details: { reason: "node-refuses" },
    });
    expect(await refusal(-8, "eight")).toMatchObject({ rpcCode: -8, message: "eight" });
  });

  it("of setgenerate is asked with as many processors as are named", async () => {
    const node = createScriptedNode({ ...likeBtcd, setgenerate: null });
    await call("setgenerate", { generate: false, genproclimit: 2 }, chain.context({ upstream: node.upstream }));
    expect(node.calls.at(-1)).toEqual({ method: "setgenerate", params: [false, 2] });
  });
});

/** Parameters of the methods that a node serves, where they need any. */
const inputs = (): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(Object.entries(cases()).map(([method, [input]]) => [method, input])),
  sendrawtransaction: { hexstring: spendingHex },
  submitpackage: { package: [spendingHex] },
  testmempoolaccept: { rawtxs: [spendingHex] },
  getblocktemplate: { templateRequest: { rules: ["segwit"] } },
});

/** A transaction of the main chain. */
const spendingHex =
  "0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000";

/** Methods that the service serves by itself, without a node. */
const implementedWithoutNode = new Set(["getnetworkinfo", "estimatefee", "estimatesmartfee"]);

describe("without a node behind it", () => {
  const served = methods.filter((method) => method["x-served-by"] === "node").map(({ name }) => name);

  it.each(served.filter((name) => !implementedWithoutNode.has(name)))("%s says that there is none", async (method) => {
    await expect(async () => await call(method, inputs()[method] ?? {}, chain.context())).rejects.toMatchObject({
      code: "not_implemented",
      rpcCode: -32601,
      rpcHttpStatus: 200,
      message: `This endpoint has no upstream node, which ${method} needs`,
      details: { reason: "no-node", method },
    });
  });

  it("estimates are not made up, and the network is nobody's", async () => {
    expect(await call("estimatefee", { numblocks: 6 }, chain.context())).toBe(-100_000_000n);
    expect(await call("estimatesmartfee", { confTarget: 6 }, chain.context())).toEqual({
      errors: ["Insufficient data or no feerate found"],
      blocks: 6,
    });
    expect(await call("getnetworkinfo", {}, chain.context())).toMatchObject({
      version: 10_203,
      subversion: "/nodewright:1.2.3/",
      networkactive: false,
      connections: 0,
      relayfee: 1_000n,
    });
  });
});

it("says which method a node does not let the service call", async () => {
  const node = createScriptedNode({
    ...likeBtcd,
    ping: refused(-32603, "limited user not authorized for this method"),
  });
  await expect(async () => await call("ping", {}, chain.context({ upstream: node.upstream }))).rejects.toMatchObject({
    rpcCode: -1,
    message: "The upstream node does not let this service call ping",
  });
});
