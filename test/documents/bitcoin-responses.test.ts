import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBitcoinRpc } from "@nodewright/bitcoin-api/server";
import {
  type ChainIndexReader,
  createBlockFileSource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { buildOptionalIndexes } from "@nodewright/bitcoin-indexer/testing";
import {
  type BitcoinNodeContext,
  createCommandReference,
  createParameterRefusal,
  handlers,
  type OpenRpcDocument,
} from "@nodewright/bitcoin-node";
import { networks } from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Provocation {
  readonly name: string;
  readonly params: readonly unknown[];
  readonly message?: string;
}

interface Method {
  readonly name: string;
  readonly errors: readonly { readonly code: number; readonly "x-provoked-by"?: readonly Provocation[] }[];
  readonly examples: readonly {
    readonly name: string;
    readonly params: readonly { readonly name: string; readonly value: unknown }[];
    readonly result: { readonly value: unknown };
    readonly "x-live"?: boolean;
    readonly "x-may-fail"?: boolean;
  }[];
}

interface Answer {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string } | null;
  readonly id: unknown;
}

/** Responded with from the index, to the last digit. */
const answered = new Set(
  [
    "decoderawtransaction getbestblock getbestblockhash getblock getblockcount getblockhash getblockheader getcurrentnet",
    "getdifficulty getgenerate gethashespersec getheaders getnetworkhashps getrawmempool getrawtransaction gettxout gettxoutproof",
    "getblockchaininfo getchaintips getchaintxstats getblockstats getdeploymentinfo getmininginfo verifychain searchrawtransactions",
    "gettxspendingprevout getmempoolinfo getmempoolentry getmempoolancestors getmempooldescendants",
    "createrawtransaction decodescript deriveaddresses getdescriptorinfo scantxoutset verifymessage",
    "getblockfilter getcfilter getcfilterheader getindexinfo gettxoutsetinfo",
    "getinfo getnettotals help validateaddress verifytxoutproof verifytxoutput",
    "estimatefee estimatesmartfee getmemoryinfo getnetworkinfo getrpcinfo uptime version",
  ].flatMap((line) => line.split(" ")),
);

/** Responded with by a node alone, which stands behind none of this: what is wrong with a request is said before. */
const neededNode = new Set(
  "sendrawtransaction testmempoolaccept getblocktemplate getconnectioncount getpeerinfo getnodeaddresses ping".split(
    " ",
  ),
);

const demoBlocks = new URL("../../packages/service/demo/bitcoin-mainnet/blocks-0-14131.dat.zst", import.meta.url);
const specification = readFileSync(new URL("../../specs/bitcoin/openrpc.yaml", import.meta.url), "utf8");
const document = parse(specification) as OpenRpcDocument;
const commands = createCommandReference(document);
const described = (parse(specification) as { readonly methods: readonly Method[] }).methods;
const methods = described.filter(({ name }) => answered.has(name));
const refusing = described.filter(({ name }) => answered.has(name) || neededNode.has(name));
const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
let index: ChainIndexReader;
let server: FastifyInstance;

beforeAll(async () => {
  const store = await openEmbeddedStore(directory, networks.mainnet);
  await runIndexer({ store, source: createBlockFileSource(demoBlocks.pathname, networks.mainnet) });
  await store.close();
  const optional = { blockFilters: true };
  await buildOptionalIndexes(directory, networks.mainnet, optional);
  index = openChainIndex(directory, { network: networks.mainnet, optional });
  server = fastify();
  await server.register(
    createBitcoinRpc<BitcoinNodeContext>({
      handlers,
      context: () => ({
        index,
        optional: index.optional,
        identity: { version: 100, protocolVersion: 70_016 },
        methodAccess: { isEnabled: () => true, enableHint: "" },
        commands,
        isShared: true,
        startedAt: 0,
        now: () => 1_000,
      }),
      invalidParameters: createParameterRefusal(commands),
      validateResponses: "throw",
    }),
  );
});

afterAll(async () => {
  await server.close();
  await index.close();
  rmSync(directory, { recursive: true });
});

async function send(method: string, params: unknown): Promise<string> {
  const payload = JSON.stringify({ jsonrpc: "2.0", id: "1", method, params });
  const { statusCode, body } = await server.inject({ method: "POST", url: "/", payload });
  expect(statusCode).toBe(200);
  return body;
}

async function call(method: string, params: unknown): Promise<Answer> {
  return JSON.parse(await send(method, params)) as Answer;
}

const documented = methods.flatMap(({ name, examples }) =>
  examples.map((example) => ({ title: `${name}: ${example.name}`, name, example })),
);

const provoked = refusing.flatMap(({ name, errors }) =>
  errors.flatMap(({ code, "x-provoked-by": requests = [] }) =>
    requests.map((request) => ({ title: `${name}: ${request.name}`, name, code, request })),
  ),
);

describe("documented responses, to the last member and in its order", () => {
  it.each(documented.filter(({ example }) => example["x-live"] !== true))("$title", async ({ name, example }) => {
    const byPosition = await call(
      name,
      example.params.map(({ value }) => value),
    );
    expect(byPosition.error).toBeNull();
    expect(JSON.stringify(byPosition.result)).toBe(JSON.stringify(example.result.value));
    const byName = await call(
      name,
      Object.fromEntries(example.params.map((parameter) => [parameter.name, parameter.value])),
    );
    expect(byName).toEqual(byPosition);
  });
});

describe("documented responses that change, in their form", () => {
  it.each(documented.filter(({ example }) => example["x-live"] === true))("$title", async ({ name, example }) => {
    const { result, error } = await call(
      name,
      example.params.map(({ value }) => value),
    );
    if (example["x-may-fail"] === true && error !== null) {
      expect(refusing.find((method) => method.name === name)?.errors.map(({ code }) => code)).toContain(error.code);
      return;
    }
    expect(error).toBeNull();
    expect(typeof result).toBe(typeof example.result.value === "object" ? "object" : typeof example.result.value);
  });
});

describe("documented errors", () => {
  it.each(provoked)("$title", async ({ name, code, request }) => {
    const { result, error } = await call(name, request.params);
    expect(result).toBeNull();
    expect(error).toMatchObject({ code, ...(request.message === undefined ? {} : { message: request.message }) });
  });
});

it("writes amounts with eight decimals", async () => {
  const [block] = documented.filter(({ title }) => title === "getblock: block 170 at verbosity 2");
  const body = await send(
    block?.name ?? "",
    block?.example.params.map(({ value }) => value),
  );
  expect(body.match(/"(?:value|fee)":[0-9.]+/g)).toEqual([
    '"value":50.00000000',
    '"value":10.00000000',
    '"value":40.00000000',
    '"fee":0.00000000',
  ]);
});

it("describes every method that it answers, in help and in rpc.discover", async () => {
  const { result } = await call("rpc.discover", []);
  expect(result).toEqual(document);
  const list = (await call("help", [])).result;
  expect(
    String(list)
      .split("\n")
      .map((line) => line.split(" ")[0]),
  ).toEqual(document.methods.map(({ name }) => name).sort());
  for (const { name } of document.methods) {
    const { result: text } = await call("help", [name]);
    expect(text).toMatch(new RegExp(`^${name}.*\\n\\n[A-Z]`));
    expect(text).toContain(`Example:\ncurl -s`);
  }
});

/** Values near to what the methods take, and others. */
const anyParameter = fc.oneof(
  fc.constantFrom<unknown>(
    ...described.flatMap(({ examples }) => examples.flatMap(({ params }) => params)).map(({ value }) => value),
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.integer(),
  fc.stringMatching(/^[0-9a-f]{64}$/),
);

it.each(refusing.map(({ name }) => name))("answers %s with any parameters in its own dialect", async (name) => {
  const anyParameters = fc.oneof(
    fc.array(anyParameter, { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("blockhash", "hash", "txid", "verbose", "height", "__proto__", ""), anyParameter),
  );
  await fc.assert(
    fc.asyncProperty(anyParameters, async (params) => {
      const { result, error } = await call(name, params);
      if (error === null) expect(result).toBeDefined();
      else expect([-1, -3, -5, -8, -22, ...(neededNode.has(name) ? [-25, -32601] : [])]).toContain(error.code);
    }),
    { numRuns: 60 },
  );
});
