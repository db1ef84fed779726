import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createEthereumClient, type EthereumClient } from "@nodewright/ethereum-api/client";
import { ethereumSuite } from "@nodewright/ethereum-api/conformance";
import type { LogsQuery } from "@nodewright/ethereum-api/types";
import { type DemoChain, startDemoChain } from "@nodewright/ethereum-graphql";
import {
  type ClientOptions,
  failedRange,
  isApiError,
  isGraphqlError,
  isInvalidResponseError,
  isTimeoutError,
  isTransportError,
  type RangePage,
} from "@nodewright/runtime";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Anvil, prepareAnvil } from "../support/anvil.ts";
import { serveEthereum, type ServedEthereum } from "../support/ethereum-graphql.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type StartedService, startService } from "../support/service.ts";
import { root } from "../support/workspace.ts";

const { path } = requireProgram("anvil");

const operations = ethereumSuite.protocol === "graphql" ? ethereumSuite.documents : [];

type Call = (input: object, options?: object) => Promise<unknown>;

function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): EthereumClient {
  return createEthereumClient({ baseUrl, retryDelayMilliseconds: 1, validateResponses: true, ...options });
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => error,
  );
}

describe.skipIf(path === undefined)("the generated client of Ethereum's GraphQL", { timeout: 120_000 }, () => {
  describe("over the demo's chain", () => {
    let chain: DemoChain | undefined;
    let served: ServedEthereum;

    beforeAll(async () => {
      chain = await startDemoChain({ miningIntervalMilliseconds: 0 });
      served = await serveEthereum(chain?.url ?? "");
    });

    afterAll(async () => {
      await served?.stop();
      await chain?.stop();
    });

    it.each(operations.map(({ name, examples }) => [name, examples] as const))(
      "has a typed method for %s, whose answers are held against their type",
      async (name, examples) => {
        const client = clientOf(served.url);
        const call = (client as unknown as Readonly<Record<string, Call>>)[name];
        expect(call).toBeTypeOf("function");
        for (const { input, outcome, isLive } of examples) {
          if (outcome.kind === "failure") continue;
          const data = await call?.(input);
          if (isLive === true) expect(data).toBeTypeOf("object");
          else expect(data).toEqual(outcome.value);
        }
        expect(examples.length).toBeGreaterThan(0);
      },
    );

    it("takes a query of one's own, with an alias for each of a hundred accounts", async () => {
      const aliases = Array.from({ length: 100 }, (_, index) => {
        const address = `0x${(index + 1).toString(16).padStart(40, "0")}`;
        return `a${index}: account(address: "${address}") { balance }`;
      });
      const text = `{ block(number: 8) { ${aliases.join(" ")} } }`;
      const { block } = await clientOf(served.url).query<{ block: Readonly<Record<string, { balance: string }>> }>(
        text,
      );
      expect(Object.keys(block)).toHaveLength(100);
      expect(block["a99"]).toEqual({ balance: "0x0" });
    });

    it("tells errors with their codes and paths, and what was answered all the same", async () => {
      const client = clientOf(served.url);
      const unknown = await failureOf(client.block({ number: "1000000000" }));
      if (!isGraphqlError(unknown)) throw unknown;
      expect(unknown.errors).toEqual([
        {
          message: "Block number 1000000000 was not found",
          path: ["block"],
          extensions: { code: "NOT_FOUND" },
        },
      ]);
      // Asked for as application/graphql-response+json, where errors of fields leave the status alone.
      expect([unknown.operation, unknown.status, unknown.data]).toEqual(["block", 200, { block: null }]);
      const text = "{ here: block(number: 3) { number } gone: block(number: 999) { number } }";
      const partial = await failureOf(client.query(text));
      expect(isGraphqlError(partial) && partial.data).toEqual({ here: { number: "0x3" }, gone: null });
      const refused = await failureOf(client.sendRawTransaction({ data: "0x" }));
      expect(isGraphqlError(refused) && refused.errors[0]?.extensions?.["code"]).toBe("BAD_USER_INPUT");
    });

    it("does what the guide shows", async () => {
      const said: unknown[][] = [];
      await runGuide({
        baseUrl: served.url,
        apiKey: "not-asked-for",
        console: { log: (...words: unknown[]) => void said.push(words) },
        createEthereumClient,
        failedRange,
        isGraphqlError,
      });
      expect(said.slice(0, 3)).toEqual([
        ["0xb589601f73322b35d1a99111c1b2127852f477a43d8d1cf7600cc11e4d9d5ba4", 4],
        [expect.stringMatching(/^0x/)],
        ["NOT_FOUND", { block: null }],
      ]);
      expect(said.slice(3).map(([number]) => number)).toContain("0x8");
      expect(said).toHaveLength(13);
    });

    it("requests an open range up to the latest block", async () => {
      const client = clientOf(served.url);
      const pages = await Array.fromAsync(client.pages.blocks({ from: "6" }, { pageLength: 2 }));
      expect(pages.map(({ blocks }) => blocks?.map((block) => block?.number))).toEqual([["0x6", "0x7"], ["0x8"]]);
      const hashes = await Array.fromAsync(client.pages.blockHashes({ from: "0x0" }, { pageLength: 4 }).items);
      for (const [index, block] of hashes.entries()) expect(block?.parent?.hash).toBe(hashes[index - 1]?.hash);
      expect(hashes).toHaveLength(9);
    });
  });

  describe("over a chain of several hundred blocks", () => {
    let anvil: Anvil;
    const running: ServedEthereum[] = [];
    let latest = 0;
    let everything: LogsQuery["logs"] = [];
    let contract = "";

    beforeAll(async () => {
      anvil = await prepareAnvil(path ?? "", 4243);
      await anvil.start();
      contract = await fillChain(anvil);
      latest = Number(await anvil.call("eth_blockNumber"));
      const { logs } = await clientOf((await serve()).url).logs(filterOf(0, latest));
      everything = logs;
    });

    afterEach(async () => {
      for (const served of running.splice(0)) await served.stop();
    });

    afterAll(() => anvil?.stop());

    async function serve(limits: NonNullable<Parameters<typeof serveEthereum>[1]>["limits"] = {}) {
      const served = await serveEthereum(anvil.url, { limits });
      running.push(served);
      return served;
    }

    const filterOf = (from: number, to?: number) => ({
      filter: { fromBlock: `0x${from.toString(16)}`, ...(to === undefined ? {} : { toBlock: `0x${to.toString(16)}` }) },
    });

    function expectAdjoining(ranges: readonly RangePage<unknown>[], first: number, last: number): void {
      expect(ranges.map(({ from }) => from)).toEqual([BigInt(first), ...ranges.slice(0, -1).map(({ to }) => to + 1n)]);
      expect(ranges.at(-1)?.to).toBe(BigInt(last));
    }

    it("pages through logs as one great query answers them", async () => {
      expect(latest).toBeGreaterThan(300);
      expect(everything).toHaveLength(100);
      const client = clientOf((await serve()).url);
      const found = await Array.fromAsync(client.pages.logs(filterOf(0, latest), { pageLength: 37 }).items);
      expect(found).toEqual(everything);
      const open = await Array.fromAsync(client.pages.logs(filterOf(0)).items);
      expect(open).toEqual(everything);
      const input = { filter: { ...filterOf(0, latest).filter, addresses: [contract], topics: [[topicOf(3)]] } };
      const chosen = await Array.fromAsync(client.pages.logs(input, { pageLength: 20 }).items);
      expect(chosen.length).toBeGreaterThan(0);
      expect(chosen).toEqual(everything.filter(({ topics }) => topics[0] === topicOf(3)));
    });

    it("takes the length that the service says it takes", async () => {
      const served = await serve({ logBlocks: 16 });
      const ranges = await Array.fromAsync(clientOf(served.url).pages.logs(filterOf(5, latest)).ranges);
      expect(ranges.flatMap(({ data }) => data.logs)).toEqual(everything.filter((log) => blockOf(log) >= 5));
      expectAdjoining(ranges, 5, latest);
      expect(Math.max(...ranges.map(({ from, to }) => Number(to - from) + 1))).toBe(16);
      // One refusal, and every page once.
      expect(served.requests()).toBe(ranges.length + 1);
    });

    it("takes shorter ranges where they hold too much, down to one block, and longer ones behind them", async () => {
      const served = await serve({ objects: 6 });
      const ranges = await Array.fromAsync(clientOf(served.url).pages.logs(filterOf(0, latest)).ranges);
      expect(ranges.flatMap(({ data }) => data.logs)).toEqual(everything);
      expectAdjoining(ranges, 0, latest);
      const lengths = ranges.map(({ from, to }) => Number(to - from) + 1);
      expect(Math.min(...lengths)).toBe(1);
      expect(Math.max(...lengths.slice(lengths.indexOf(1)))).toBeGreaterThan(4);
    });

    it("pages through blocks as one great query answers them", async () => {
      const all = await clientOf((await serve()).url).blocks({ from: "0", to: String(latest) });
      const served = await serve({ blocks: 10 });
      const pages = clientOf(served.url).pages.blocks({ from: "0", to: String(latest) });
      expect(await Array.fromAsync(pages.items)).toEqual(all.blocks);
    });

    it("ends with the service's error where one block alone is too much, and says which", async () => {
      const client = clientOf((await serve({ objects: 2 })).url);
      const given: LogsQuery["logs"][number][] = [];
      const error = await failureOf(
        (async () => {
          for await (const log of client.pages.logs(filterOf(0, latest)).items) given.push(log);
        })(),
      );
      expect(isGraphqlError(error) && error.errors[0]?.extensions).toMatchObject({ limit: "objects", maximum: 2 });
      const failed = failedRange(error);
      expect(failed?.from).toBe(failed?.to);
      expect(given).toEqual(everything.filter((log) => BigInt(blockOf(log)) < (failed?.from ?? 0n)));
      expect(everything.filter((log) => BigInt(blockOf(log)) === failed?.from).length).toBeGreaterThan(2);
    });

    it("ends with the reason of an aborted signal", async () => {
      const served = await serve({ logBlocks: 16 });
      const controller = new AbortController();
      const reason = new Error("enough");
      let pages = 0;
      const ended = (async () => {
        for await (const page of clientOf(served.url).pages.logs(filterOf(0, latest), { signal: controller.signal })) {
          pages += page.logs.length > 0 ? 1 : 0;
          if (pages === 2) controller.abort(reason);
        }
      })();
      await expect(ended).rejects.toBe(reason);
      const before = served.requests();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(served.requests()).toBe(before);
    });

    it("refuses a range beyond the latest block in the service's words", async () => {
      const client = clientOf((await serve()).url);
      const error = await failureOf(Array.fromAsync(client.pages.logs(filterOf(latest, latest + 1))));
      expect(String(error)).toContain("beyond the latest block");
      expect(failedRange(error)).toEqual({ from: BigInt(latest), to: BigInt(latest + 1) });
    });
  });

  describe("towards a service with keys", () => {
    let service: StartedService;

    beforeAll(async () => {
      service = await startService({ fromSources: true });
    }, 120_000);

    afterAll(() => service?.stop());

    it("sends its key in the query or a header, and shows it nowhere", async () => {
      const { interfaces, apikey } = nodeOf(service, "ethereum");
      const url = interfaces.graphql ?? "";
      for (const apiKeyLocation of ["query", "header"] as const) {
        const client = clientOf(url, { apiKey: apikey, apiKeyLocation });
        expect(await client.latestBlock()).toMatchObject({ block: { number: expect.stringMatching(/^0x/) } });
        expect(
          await Array.fromAsync(client.pages.logs({ filter: { fromBlock: "0x0", toBlock: "0x8" } }).items),
        ).toHaveLength(10);
        const error = await failureOf(client.query(`query { ${apikey} }`));
        expect(isGraphqlError(error)).toBe(true);
        expect(JSON.stringify(error) + String(error) + (error as Error).stack).not.toContain(apikey);
      }
      const answers: number[] = [];
      const wrong = clientOf(url, {
        apiKey: `${apikey.slice(0, -2)}xx`,
        onResponse: ({ status }) => answers.push(status),
      });
      const refusal = await failureOf(wrong.latestBlock());
      expect(isGraphqlError(refusal) && refusal.errors[0]?.extensions?.["code"]).toBe("UNAUTHENTICATED");
      const page = await failureOf(Array.fromAsync(wrong.pages.blocks({ from: "0", to: "1" })));
      expect(isGraphqlError(page) && failedRange(page)).toEqual({ from: 0n, to: 1n });
      expect(answers).toEqual([401, 401]);
    });
  });
});

describe("the generated client of Ethereum's GraphQL, towards what is no such service", () => {
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  }

  it("reports a missing response, a late one, a wrong one, and one that is not GraphQL", async () => {
    const gone = await listen((_request, response) => response.destroy());
    expect(isTransportError(await failureOf(clientOf(gone).gasPrice()))).toBe(true);
    const hanging = await listen(() => undefined);
    const late = await failureOf(clientOf(hanging).gasPrice({}, { timeoutMilliseconds: 50, retries: 0 }));
    expect(isTimeoutError(late)).toBe(true);
    const wrong = await listen((_request, response) => response.end('{"data":{"gasPrice":7}}'));
    const invalid = await failureOf(clientOf(wrong).gasPrice());
    expect(isInvalidResponseError(invalid) && invalid.violations.map(({ pointer }) => pointer)).toEqual(["/gasPrice"]);
    const other = await listen((_request, response) => response.writeHead(404).end("Nothing here"));
    const missing = await failureOf(clientOf(other).gasPrice());
    expect(isApiError(missing) && [missing.status, missing.body]).toEqual([404, "Nothing here"]);
  });

  it("retries for queries alone", async () => {
    let requests = 0;
    const url = await listen((_request, response) => {
      requests += 1;
      response.writeHead(503, { "content-type": "application/json" });
      response.end('{"errors":[{"message":"busy","extensions":{"code":"UPSTREAM_UNAVAILABLE"}}]}');
    });
    const client = clientOf(url, { retries: 2 });
    const error = await failureOf(client.gasPrice());
    expect([isGraphqlError(error) && error.status, requests]).toEqual([503, 3]);
    requests = 0;
    await failureOf(client.sendRawTransaction({ data: "0x02" }));
    expect(requests).toBe(1);
    requests = 0;
    const page = await failureOf(Array.fromAsync(client.pages.blocks({ from: "0", to: "9" }, { retries: 1 })));
    expect([failedRange(page), requests]).toEqual([{ from: 0n, to: 9n }, 2]);
  });
});

/** Runs the code of the guide. What it imports is handed in, with the names that it takes for known. */
async function runGuide(names: Readonly<Record<string, unknown>>): Promise<void> {
  const guide = readFileSync(join(root, "docs/graphql-clients.md"), "utf8");
  const [code = ""] = /(?<=```ts\n)[^`]*/.exec(guide) ?? [];
  const imported = [...code.matchAll(/^import \{ ([^}]*) \} from/gm)].flatMap(([, list = ""]) => list.split(", "));
  expect(Object.keys(names)).toEqual(expect.arrayContaining(imported));
  const body = stripTypeScriptTypes(code.replaceAll(/^import .*$/gm, ""));
  const run = new Function(...Object.keys(names), `return (async () => {${body}})();`) as (
    ...values: readonly unknown[]
  ) => Promise<void>;
  await run(...Object.values(names));
}

/** Of the transaction that caused a log. */
function blockOf({ transaction: { block } }: LogsQuery["logs"][number]): number {
  return Number(block?.number);
}

function topicOf(index: number): string {
  return `0x${index.toString(16).padStart(64, "0")}`;
}

/** Code that creates a contract which leaves a log: its topic and the length of its data are the two words of the call's data. */
const logsCreationCode = "0x696000356020356000a100600052600a6016f3";

/** Makes a chain of stretches without logs, with a log in each block, and with several in one; gives the contract's address. */
async function fillChain(anvil: Anvil): Promise<string> {
  const [from] = (await anvil.call("eth_accounts")) as readonly string[];
  // Blocks are made when they are told to, so that each run makes the same ones.
  await anvil.call("evm_setAutomine", false);
  const mine = () => anvil.call("evm_mine");
  const hash = await anvil.call("eth_sendTransaction", { from, data: logsCreationCode, gas: "0x30d40" });
  await mine();
  const receipt = (await anvil.call("eth_getTransactionReceipt", hash)) as { readonly contractAddress: string };
  const to = receipt.contractAddress;
  const log = (topic: number) =>
    anvil.call("eth_sendTransaction", { from, to, gas: "0x186a0", data: topicOf(topic) + topicOf(8).slice(2) });
  for (let stretch = 0; stretch < 4; stretch += 1) {
    await anvil.call("anvil_mine", "0x3c");
    for (let index = 0; index < 20; index += 1) {
      await log(index % 5);
      await mine();
    }
    for (let index = 0; index < 5; index += 1) await log(index);
    await mine();
  }
  return to;
}
