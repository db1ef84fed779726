import { createHttpUpstream, type HttpUpstream } from "@nodewright/upstream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { requestNode, serve, type ServedInterface, startMadeUpNode } from "../../test-support/serve.ts";
import { type DemoChain, startDemoChain } from "../demo/demo-chain.ts";
import { quantity } from "../basics/quantity.ts";

let chain: DemoChain;
let upstream: HttpUpstream;
let head: bigint;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const started = await startDemoChain({ miningIntervalMilliseconds: 0 });
  if (started === undefined) throw new Error("This test needs anvil");
  chain = started;
  upstream = createHttpUpstream({ url: chain.url });
  head = BigInt((await upstream.call("eth_blockNumber")) as string);
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

afterAll(async () => {
  await upstream.close();
  await chain.stop();
});

/** Serves over a client that does not have the blocks at some heights. */
async function serveWithout(...missing: readonly number[]): Promise<ServedInterface> {
  const client = await startMadeUpNode(async (call) =>
    call.method === "eth_getBlockByNumber" && missing.some((height) => call.params[0] === quantity(BigInt(height)))
      ? { result: null }
      : await requestNode(upstream, call),
  );
  const served = await serve(client.url);
  closers.push(
    () => served.stop(),
    () => client.stop(),
  );
  return served;
}

const reorganised = "The chain was reorganized during the request; try again";

describe("a range of blocks", () => {
  it("ends with the head", async () => {
    const served = await serveWithout();
    const { data, errors } = await served.ask(`{ blocks(from: ${head - 1n}, to: ${head + 3n}) { number } }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({ blocks: [{ number: quantity(head - 1n) }, { number: quantity(head) }] });
  });

  it.each([
    ["at its beginning", [3]],
    ["over its first blocks", [3, 4]],
    ["in its middle", [4]],
    ["over several blocks of its middle", [4, 5]],
  ])("is refused when the client gives no block %s but later ones", async (_, missing) => {
    const served = await serveWithout(...missing);
    const { data, errors } = await served.ask("{ blocks(from: 3, to: 6) { number } }");
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ message: reorganised, extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
  });

  it("is refused when the client lacks its last blocks, which are below the head", async () => {
    const served = await serveWithout(5, 6);
    const { data, errors } = await served.ask("{ blocks(from: 3, to: 6) { number } }");
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      {
        message: "The node does not have a block that is below its latest one",
        extensions: { code: "UPSTREAM_UNAVAILABLE" },
      },
    ]);
  });
});
