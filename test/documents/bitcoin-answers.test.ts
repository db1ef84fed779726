import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainIndexReader,
  createBlockFileSource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { type BitcoinNodeContext, createCommandReference, type OpenRpcDocument } from "@nodewright/bitcoin-node";
import { networks } from "@nodewright/bitcoin-primitives";
import { camelCase, kebabCase } from "@nodewright/model";
import { formatBitcoinAmount } from "@nodewright/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Method {
  readonly name: string;
  readonly examples: readonly {
    readonly name: string;
    readonly params: readonly { readonly name: string; readonly value: unknown }[];
    readonly result: { readonly value: unknown };
    readonly "x-live"?: boolean;
  }[];
}

type Answer = (input: Readonly<Record<string, unknown>>, context: BitcoinNodeContext) => unknown;

const answered = [
  "decoderawtransaction getbestblock getbestblockhash getblock getblockcount getblockhash getblockheader getcurrentnet",
  "getdifficulty getgenerate gethashespersec getnetworkhashps getrawmempool getrawtransaction gettxout gettxoutproof",
  "help validateaddress verifytxoutproof verifytxoutput",
].flatMap((line) => line.split(" "));

const demoBlocks = new URL("../../packages/service/demo/bitcoin-mainnet/blocks-0-14131.dat.zst", import.meta.url);
const specification = readFileSync(new URL("../../specs/bitcoin/openrpc.yaml", import.meta.url), "utf8");
const document = parse(specification) as OpenRpcDocument & { readonly methods: readonly Method[] };
const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
let index: ChainIndexReader;

beforeAll(async () => {
  const store = await openEmbeddedStore(directory, networks.mainnet);
  await runIndexer({ store, source: createBlockFileSource(demoBlocks.pathname, networks.mainnet) });
  await store.close();
  index = openChainIndex(directory, { network: networks.mainnet });
});

afterAll(async () => {
  await index.close();
  rmSync(directory, { recursive: true });
});

function context(): BitcoinNodeContext {
  return {
    index,
    identity: { version: 100, protocolVersion: 70016 },
    methodAccess: { isEnabled: () => true, enableHint: "" },
    commands: createCommandReference(document),
    startedAt: 0,
    now: () => 1_000,
  };
}

async function answerOf(name: string): Promise<Answer> {
  const module = await import(`../../packages/bitcoin-node/src/handlers/${kebabCase(camelCase(name))}.ts`);
  return (module as Readonly<Record<string, Answer>>)[camelCase(name)] ?? expect.unreachable(`${name} has no handler`);
}

/** As it goes over the wire, with amounts as decimals, and with the order of members. */
function wireText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? Number(formatBitcoinAmount(part)) : part,
  );
}

const cases = answered.flatMap((name) => {
  const method = document.methods.find((candidate) => candidate.name === name) ?? expect.unreachable(name);
  return method.examples
    .filter((example) => example["x-live"] !== true)
    .map((example) => ({ title: `${name}: ${example.name}`, method, example }));
});

describe("documented answers, to the last member and in order", () => {
  it.each(cases)("$title", async ({ method, example }) => {
    const answer = await answerOf(method.name);
    const input = Object.fromEntries(example.params.map(({ name, value }) => [camelCase(name), value]));
    expect(wireText(await answer(input, context()))).toBe(wireText(example.result.value));
  });
});
