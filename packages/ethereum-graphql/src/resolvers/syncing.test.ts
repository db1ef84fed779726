import { afterEach, expect, it } from "vitest";
import { type RpcReply, type ServedInterface, serve, startMadeUpNode } from "../../test-support/serve.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const serveResult = (method: string, result: unknown) => serveReply(method, { result });

async function serveReply(method: string, reply: RpcReply): Promise<ServedInterface> {
  const node = await startMadeUpNode((call) => (call.method === method ? reply : undefined));
  const served = await serve(node.url);
  closers.push(
    () => node.stop(),
    () => served.stop(),
  );
  return served;
}

const heights = { startingBlock: "0x1", currentBlock: "0x10", highestBlock: "0x20" };

it.each<[string, unknown, unknown]>([
  ["is up to date", false, null],
  ["has nothing to tell", null, null],
  ["tells all three heights, as geth with more beside them", { ...heights, healedBytecodes: "0x0" }, heights],
  ["tells what Besu does", { ...heights, pulledStates: "0x0", knownStates: "0x0" }, heights],
  [
    "tells its stages, as Erigon and Reth",
    { ...heights, stages: [{ stage_name: "Headers", block_number: "0x1" }] },
    heights,
  ],
  [
    "does not tell where it began",
    { currentBlock: "0x10", highestBlock: "0x20" },
    { ...heights, startingBlock: "0x0" },
  ],
  [
    "does not know how far there is to go",
    { currentBlock: "0x10" },
    { startingBlock: "0x0", currentBlock: "0x10", highestBlock: "0x10" },
  ],
  ["writes numbers", { startingBlock: 1, currentBlock: 16, highestBlock: 32, syncMode: "FastSync" }, heights],
])("syncing of a node that %s", async (_name, result, expected) => {
  const served = await serveResult("eth_syncing", result);
  const response = await served.ask("{ syncing { startingBlock currentBlock highestBlock } }");
  expect(response).toMatchObject({ errors: [], data: { syncing: expected } });
});

it.each([[true], ["0x1"], [{}], [{ currentBlock: "latest" }]])(
  "syncing is an error when the node answers %j",
  async (result) => {
    const served = await serveResult("eth_syncing", result);
    const response = await served.ask("{ syncing { currentBlock } }");
    expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
  },
);

it.each<[unknown, number]>([
  [1, 1],
  ["0x44", 68],
  ["66", 66],
  ["eth/68", 68],
  [-1, 68],
  [2 ** 31, 68],
  [null, 68],
  ["", 68],
])("protocolVersion of a node that answers %j is %d", async (result, expected) => {
  const served = await serveResult("eth_protocolVersion", result);
  expect((await served.ask("{ protocolVersion }")).data).toEqual({ protocolVersion: expected });
});

it.each([[null], [7], [{}]])("gasPrice is an error when the node answers %j", async (result) => {
  const served = await serveResult("eth_gasPrice", result);
  expect((await served.ask("{ gasPrice }")).errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
});

it.each([
  ["eth_gasPrice", "{ gasPrice }"],
  ["eth_syncing", "{ syncing { currentBlock } }"],
  ["eth_protocolVersion", "{ protocolVersion }"],
  ["txpool_status", "{ pending { transactionCount } }"],
  ["eth_getBlockByNumber", "{ block { number } }"],
])("a node's error in %s is no mistake of the caller, who has given nothing: %s", async (method, query) => {
  const served = await serveReply(method, { error: { code: -32_000, message: "database not open" } });
  expect((await served.ask(query)).errors).toMatchObject([
    { message: "The node could not respond", extensions: { code: "UPSTREAM_UNAVAILABLE" } },
  ]);
});
