import { afterEach, describe, expect, it } from "vitest";
import { madeUpBlock } from "../../test-support/made-up-block.ts";
import {
  type RpcCall,
  type RpcReply,
  type ServedInterface,
  serve,
  serveDemoChain,
  startMadeUpNode,
} from "../../test-support/serve.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const word = (digits: string): string => `0x${digits.padStart(64, "0")}`;
const block = madeUpBlock({ number: "0x1", hash: word("1"), parentHash: word("0") });

async function serveReplies(replies: Readonly<Record<string, (call: RpcCall) => RpcReply>>): Promise<ServedInterface> {
  const node = await startMadeUpNode((call) =>
    call.method.startsWith("eth_getBlockBy") ? { result: block } : replies[call.method]?.(call),
  );
  const served = await serve(node.url);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  return served;
}

const callOf = (fields: string): string =>
  `{ block(hash: "${block.hash}") { number call(data: {data: "0x00"}) { ${fields} } } }`;

describe("the gas that a call uses", () => {
  it("is read of a trace, at the state that the block's hash names", async () => {
    const asked: unknown[] = [];
    const served = await serveReplies({
      debug_traceCall: ({ params }) => {
        asked.push(params);
        return { result: { gasUsed: "0x10", output: "0x01", error: "execution reverted" } };
      },
    });
    const response = await served.ask(callOf("data status gasUsed"));
    expect(response).toMatchObject({ data: { block: { call: { data: "0x01", status: "0x0", gasUsed: "0x10" } } } });
    expect(asked).toEqual([
      [{ data: "0x00" }, { blockHash: block.hash }, { tracer: "callTracer", tracerConfig: { onlyTopCall: true } }],
    ]);
  });

  it("is simulated where the client does not trace, and what the call gives is asked at the state itself", async () => {
    const served = await serveReplies({
      eth_simulateV1: () => ({ result: [{ calls: [{ gasUsed: "0x10", returnData: "0x02", status: "0x1" }] }] }),
      eth_call: () => ({ error: { code: 3, message: "execution reverted", data: "0xaa" } }),
    });
    const response = await served.ask(callOf("data status gasUsed"));
    expect(response).toMatchObject({ data: { block: { call: { data: "0xaa", status: "0x0", gasUsed: "0x10" } } } });
  });

  it("is an error that says what the client lacks, and the block's other fields are answered", async () => {
    const served = await serveReplies({ eth_call: () => ({ result: "0x01" }) });
    const response = await served.ask(callOf("data status gasUsed"));
    expect(response.data).toEqual({ block: { number: "0x1", call: null } });
    expect(response.errors).toMatchObject([{ extensions: { code: "NOT_IMPLEMENTED" } }]);
    expect(response.errors[0]?.message).toContain("neither debug_traceCall nor eth_simulateV1");
    expect((await served.ask(callOf("data status"))).data).toMatchObject({ block: { call: { data: "0x01" } } });
  });

  it.each([
    ["debug_traceCall", null],
    ["debug_traceCall", "0x"],
    ["eth_simulateV1", []],
    ["eth_simulateV1", [{}]],
    ["eth_simulateV1", [{ calls: [] }]],
    ["eth_call", null],
    ["eth_call", 1],
  ])("is an error when %s answers %j", async (method, result) => {
    const served = await serveReplies({ eth_call: () => ({ result: "0x" }), [method]: () => ({ result }) });
    const response = await served.ask(callOf(method === "eth_call" ? "data" : "gasUsed"));
    expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
  });
});

describe("a call", () => {
  it("is answered again without asking, and a creation has no recipient", async () => {
    const served = await serveReplies({
      eth_call: ({ params }) => ({ result: "to" in (params[0] as object) ? "0x00" : "0x6000" }),
    });
    const text = callOf("data status");
    expect(await served.ask(text)).toMatchObject({ data: { block: { call: { data: "0x6000", status: "0x1" } } } });
    expect(await served.ask(text)).toMatchObject({ calls: 0, data: { block: { call: { data: "0x6000" } } } });
  });

  it("keeps what it reverted with, as Nethermind wraps it too", async () => {
    const served = await serveReplies({
      eth_call: () => ({ error: { code: -32015, message: "VM execution error.", data: "Reverted 0x7a933234" } }),
    });
    expect(await served.ask(callOf("data status"))).toMatchObject({
      status: 200,
      data: { block: { call: { data: "0x7a933234", status: "0x0" } } },
    });
  });
});

describe("a contract", () => {
  it.each(["execution reverted: block not found", "execution reverted: unknown block"])(
    "may revert with words that nodes use of blocks: %s",
    async (message) => {
      const served = await serveReplies({ eth_call: () => ({ error: { code: 3, message, data: "0x08c379a0" } }) });
      expect(await served.ask(callOf("data status"))).toMatchObject({
        errors: [],
        data: { block: { call: { data: "0x08c379a0", status: "0x0" } } },
      });
    },
  );
});

describe("an estimation", () => {
  it("that reverts is an error in the node's words, with what it reverted with", async () => {
    const served = await serveReplies({
      eth_estimateGas: () => ({ error: { code: 3, message: "execution reverted: no", data: "0x08c379a0" } }),
    });
    const response = await served.ask(`{ block(hash: "${block.hash}") { estimateGas(data: {}) } }`);
    expect(response).toMatchObject({
      status: 400,
      data: { block: null },
      errors: [{ message: "execution reverted: no", extensions: { code: "BAD_USER_INPUT", data: "0x08c379a0" } }],
    });
  });

  it("of a pending transaction is tried on the latest block", async () => {
    const asked: unknown[] = [];
    const served = await serveReplies({
      eth_estimateGas: ({ params }) => {
        asked.push(params[1]);
        return { result: "0x5208" };
      },
    });
    expect(await served.ask("{ pending { estimateGas(data: {}) } }")).toMatchObject({
      data: { pending: { estimateGas: "0x5208" } },
    });
    expect(asked).toEqual([{ blockHash: block.hash }]);
  });
});

describe("calls of a real client", () => {
  // Bytes of code: keep 0xaa and revert with it; return nothing; run the invalid instruction.
  const reverts = "0x60aa60005260206000fd";

  it.each(["block(number: 8)", "pending"])("on the state of %s tell their gas and data", async (place) => {
    const served = await serveDemoChain();
    closers.push(() => served.stop());
    const run = (code: string): string => `call(data: {data: "${code}", gas: 1000000}) { data status gasUsed }`;
    const response = await served.ask(`{ it: ${place} { a: ${run(reverts)} b: ${run("0x00")} c: ${run("0xfe")} } }`);
    expect(response.errors).toEqual([]);
    expect(response.data).toEqual({
      it: {
        a: { data: word("aa"), status: "0x0", gasUsed: expect.stringMatching(/^0x[1-9a-f]/) },
        b: { data: "0x", status: "0x1", gasUsed: expect.stringMatching(/^0x[1-9a-f]/) },
        c: { data: "0x", status: "0x0", gasUsed: "0xf4240" },
      },
    });
  });
});
