import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askRpc } from "../support/calls.ts";
import { jsonDifferences } from "../support/json-difference.ts";
import { requireInstalled, requireProgram } from "../support/requirement.ts";
import { root } from "../support/workspace.ts";
import { serveChain, type ServedChain } from "./served-chain.ts";

const { path } = requireProgram("btcd");
const rpcclient = requireProgram("ask-with-rpcclient").path;
const python = requireProgram("python3").path;
const pythonPackages = requireInstalled("python", "python-bitcoinrpc and python-bitcoinlib").path;
const npmPackages = requireInstalled("npm/node_modules", "bitcoin-core").path;

/** What clients are asked to read. */
interface Subject {
  readonly heights: readonly number[];
  /** Of the best chain. */
  readonly blocks: readonly string[];
  readonly stale: string;
  readonly transactions: readonly string[];
  readonly unconfirmed: readonly string[];
  readonly addresses: readonly string[];
}

/** Runs a program with this on its standard input; gives what it printed. Fails with its words when it fails. */
async function run(program: string, parameters: readonly string[], input: unknown, environment = {}): Promise<string> {
  const child = spawn(program, parameters, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  child.stdin.end(JSON.stringify(input));
  const [[code], output, errors] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  expect(code, errors).toBe(0);
  return output;
}

/** What Go's client made of an answer. */
interface GoLine {
  readonly method: string;
  readonly about: string;
  readonly result?: unknown;
  readonly error?: string;
}

describe.skipIf(path === undefined)("clients of Bitcoin nodes, over a service", { timeout: 180_000 }, () => {
  let directory: string;
  let served: ServedChain;
  let subject: Subject;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-rpc-clients-"));
    served = await serveChain(path ?? "", directory, { withStaleBlock: true });
    await enableAll(served.service.dataDirectory);
    subject = await chooseSubject(served);
  }, 180_000);

  afterAll(async () => {
    await served?.stop();
    rmSync(directory, { recursive: true });
  });

  /** Without the scheme. */
  const address = () => served.node.endpoint.replace("http://", "");
  /** For clients that drop the query of an URL. */
  const urlWithPassword = () => `http://anybody:${served.node.apikey}@${address()}/`;

  describe.skipIf(rpcclient === undefined)("Go's rpcclient", () => {
    let ours: ReadonlyMap<string, GoLine>;
    let theirs: ReadonlyMap<string, GoLine>;

    beforeAll(async () => {
      const { blocks, stale } = subject;
      const task = { ...subject, blocks: [...blocks, stale], unsent: served.unsent, user: served.upstream.user };
      const { password, url } = served.upstream;
      theirs = readLines(await run(rpcclient ?? "", [], { ...task, host: url.replace("http://", ""), password }));
      const host = `${address()}/?apikey=${served.node.apikey}`;
      ours = readLines(await run(rpcclient ?? "", [], { ...task, host, password: served.node.apikey, send: true }));
    }, 120_000);

    it("is answered by every method", () => {
      const refused = [...ours.values()].filter(({ error }) => error !== undefined);
      expect(refused.filter((line) => expectedRefusals.every((expected) => !expected.test(nameOf(line))))).toEqual([]);
      expect(ours.size).toBeGreaterThan(500);
    });

    it("is told what btcd tells it", () => {
      const differences: unknown[] = [];
      let compared = 0;
      for (const [name, line] of theirs) {
        if (!sameInBoth.has(line.method) || line.error !== undefined) continue;
        if (answeredOtherwise.some((pattern) => pattern.test(name)) || name.includes(subject.stale)) continue;
        compared += 1;
        const found = jsonDifferences(comparable(line), comparable(ours.get(name) ?? line));
        if (found.length > 0) differences.push({ name, found });
      }
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(300);
    });

    it("sends a transaction, and takes the service for a node that tests them", async () => {
      expect(ours.get("backend ")?.result).toBe("btcd 24.1.0 and above");
      expect([...ours.values()].find(({ method }) => method === "testmempoolaccept")?.result).toMatchObject([
        { txid: served.unsentId, allowed: true },
      ]);
      expect(await served.upstream.call("getrawmempool")).toContain(served.unsentId);
    });
  });

  describe.skipIf(python === undefined || pythonPackages === undefined)("Python's", () => {
    const environment = { PYTHONPATH: pythonPackages ?? "" };
    const program = (name: string) => [join(root, "test/foreign-clients/python", name)];

    it("bitcoinrpc is given the same one by one and in a batch, to the last decimal", async () => {
      const [block = ""] = subject.blocks;
      const [transaction = ""] = subject.transactions;
      const [unconfirmed = ""] = subject.unconfirmed;
      const calls = [
        ["getblockcount"],
        ["getblock", block],
        ["getblock", block, 2],
        ["getblockheader", subject.stale],
        ["getrawtransaction", transaction, 1],
        ["getrawmempool", true],
        ["getmempoolentry", unconfirmed],
        ["gettxoutsetinfo", "none"],
        ["getblockstats", 5],
        ["getnetworkinfo"],
        ["help"],
        ["getblock", "00"],
        ["nosuchmethod"],
      ];
      const output = await run(
        python ?? "",
        program("call_with_bitcoinrpc.py"),
        { url: urlWithPassword(), calls },
        environment,
      );
      const { single, batch } = JSON.parse(output) as {
        readonly single: readonly { readonly result?: unknown; readonly error?: unknown }[];
        readonly batch: readonly unknown[];
      };
      expect(single.flatMap(({ error }) => (error === undefined ? [] : [error]))).toEqual([
        [-8, expect.stringContaining("must be of length 64")],
        [-32_601, expect.stringContaining("Method not found")],
      ]);
      expect(batch).toEqual(single.flatMap(({ error, result }) => (error === undefined ? [result] : [])));
      expect(single[0]).toEqual({ result: (await askRpc(served.node, "getblockcount")).result });
      expect(single[3]).toMatchObject({ result: { hash: subject.stale, confirmations: -1 } });
      expect(single[4]).toMatchObject({ result: { vout: [{ value: "25.00000000" }, { value: "25.00000000" }] } });
    });

    it("bitcoinlib reads blocks, transactions and the mempool, and sends", async () => {
      // A node that has a transaction already says so by its id.
      const { unsent, unsentId } = served;
      const asked = { ...subject, address: subject.addresses[0], unsent, url: urlWithPassword() };
      const output = await run(python ?? "", program("read_with_bitcoinlib.py"), asked, environment);
      const seen = JSON.parse(output) as Readonly<Record<string, readonly (readonly unknown[])[]>>;
      const { upstream } = served;
      expect(seen).toMatchObject({
        count: await upstream.call("getblockcount"),
        best: await upstream.call("getbestblockhash"),
        hashes: await upstream.callEach(
          "getblockhash",
          subject.heights.map((height) => [height]),
        ),
        address: true,
        mining: await upstream.call("getblockcount"),
        sent: unsentId,
        refusals: [
          expect.stringContaining("(-5)"),
          expect.stringContaining("(-8)"),
          expect.stringContaining("(-5)"),
          "JSONRPCError",
        ],
      });
      expect(seen["blocks"]?.map(([hex]) => hex)).toEqual(
        await upstream.callEach(
          "getblock",
          subject.blocks.map((hash) => [hash, 0]),
        ),
      );
      const txids = [...subject.transactions, ...subject.unconfirmed];
      expect(seen["transactions"]?.map(([hex]) => hex)).toEqual(
        await upstream.callEach(
          "getrawtransaction",
          txids.map((txid) => [txid]),
        ),
      );
      expect(await upstream.call("getrawmempool")).toContain(unsentId);
    });
  });

  describe.skipIf(npmPackages === undefined)("npm's bitcoin-core", () => {
    it("is answered with its key in the URL, by position, by name, and in batches", async () => {
      const { endpoint, apikey } = served.node;
      for (const host of [`${endpoint}/?apikey=${apikey}`, `${endpoint}/?apikey=${apikey}&`]) {
        const client = createClient({ host });
        const [block = ""] = subject.blocks;
        expect(await client.command("getblockcount")).toBe((await askRpc(served.node, "getblockcount")).result);
        const told = await client.command("getblock", block, 2);
        expect(told).toMatchObject({ hash: block, tx: [{ vin: [{ coinbase: expect.any(String) }] }] });
        expect(await client.command("getBlock", { blockhash: block, verbosity: 2 })).toEqual(told);
        const batch = await client.command([
          { method: "getblockcount", parameters: [] },
          { method: "getblockhash", parameters: [-5] },
          { method: "getbestblockhash", parameters: [] },
        ]);
        expect(batch).toEqual([
          await client.command("getblockcount"),
          expect.objectContaining({ code: -8 }),
          await client.command("getbestblockhash"),
        ]);
        await expect(client.command("getblock", "00")).rejects.toMatchObject({ code: -8 });
        await expect(client.command("getwalletinfo")).rejects.toMatchObject({ code: -32_601 });
      }
    });

    it("is answered with its key as a password", async () => {
      const client = createClient({
        host: `${served.node.endpoint}/`,
        username: "anybody",
        password: served.node.apikey,
      });
      expect(await client.command("getbestblockhash")).toBe(await served.upstream.call("getbestblockhash"));
    });
  });
});

/** The methods that are off by default, enabled as an operator does it. */
async function enableAll(dataDirectory: string): Promise<void> {
  const access = async (...parameters: readonly string[]): Promise<string> =>
    await run(
      process.execPath,
      [join(root, "packages/service/dist/bin.js"), "access", "--data", dataDirectory, ...parameters],
      "",
    );
  const [listed] = JSON.parse(await access("--json")) as readonly { readonly disabled: readonly string[] }[];
  await access("--enable", listed?.disabled.join(",") ?? "", "--reason", "clients that ask for everything");
}

async function chooseSubject({ upstream, summary, staleBlock }: ServedChain): Promise<Subject> {
  const tip = Number(await upstream.call("getblockcount"));
  const heights = [0, 1, 2, 50, 99, tip - 6, tip - 4, tip - 3, tip - 2, tip - 1, tip];
  const blocks = (await upstream.callEach(
    "getblockhash",
    heights.map((height) => [height]),
  )) as readonly string[];
  const described = (await upstream.callEach(
    "getblock",
    blocks.map((hash) => [hash]),
  )) as readonly { readonly tx: readonly string[] }[];
  return {
    heights,
    blocks,
    stale: staleBlock ?? "",
    // No node gives the genesis block's.
    transactions: described.slice(1).flatMap(({ tx }) => tx.slice(0, 12)),
    unconfirmed: (await upstream.call("getrawmempool")) as readonly string[],
    addresses: summary.hotScripts.flatMap(({ address }) => address ?? []).slice(0, 6),
  };
}

function readLines(output: string): ReadonlyMap<string, GoLine> {
  const lines = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as GoLine);
  return new Map(lines.map((line) => [nameOf(line), line]));
}

function nameOf({ method, about }: GoLine): string {
  return `${method} ${about}`;
}

/** Methods that have one answer, in what Go's client reads of it. */
const sameInBoth: ReadonlySet<string> = new Set([
  "getbestblockhash",
  "getbestblock",
  "getblockcount",
  "getblockhash",
  "getblock",
  "getblockheader",
  "getrawtransaction",
  "decoderawtransaction",
  "gettxout",
  "getcfilter",
  "getcfilterheader",
  "getheaders",
  "getrawmempool",
  "getgenerate",
  "gethashespersec",
  "getconnectioncount",
  "getaddednodeinfo",
  "getcurrentnet",
  "verifychain",
  "searchrawtransactions",
]);

/** Questions that btcd answers in another way than Bitcoin Core, whose dialect is spoken here. */
const answeredOtherwise: readonly RegExp[] = [
  // btcd does not look at what spends an output in the mempool.
  /^gettxout .* true$/,
  // Newest first begins with unconfirmed ones, which btcd gives in no order.
  /^searchrawtransactions .* true/,
];

/** What is asked for that no node gives. */
const expectedRefusals: readonly RegExp[] = [
  // No node was added.
  /^getaddednodeinfo $/,
  // Of scripts, not of a key.
  /^verifymessage (?:bcrt1|2)/,
];

/** What of an answer has to be the same, whichever node it comes from. */
function comparable({ method, result }: GoLine): unknown {
  const dropped = new Set([...spelledOtherwise, ...(dealtWithOtherwise.get(method) ?? [])]);
  const strip = (value: unknown): unknown => {
    // Ids of transactions come in no order that both have, and btcd names a parent for each of its outputs.
    if (Array.isArray(value)) return isListOfTexts(value) ? [...new Set(value)].toSorted() : value.map(strip);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).filter(([name, member]) => !dropped.has(name) && !isNothing(member));
    return Object.fromEntries(members.map(([name, member]) => [name === "rawtx" ? "tx" : name, strip(member)]));
  };
  return strip(result);
}

function isListOfTexts(value: readonly unknown[]): boolean {
  return value.every((item) => typeof item === "string");
}

/** The first block's parent: btcd names 64 zeros, Bitcoin Core nothing. */
function isNothing(member: unknown): boolean {
  return member === "" || member === "0".repeat(64);
}

/** btcd's difficulty is one of its own network, and its scripts are spelled in its own way. */
const spelledOtherwise: readonly string[] = [
  "difficulty",
  "asm",
  "reqSigs",
  "addresses",
  "address",
  "type",
  // Of a coinbase; Bitcoin Core calls it by the name that other inputs have.
  "witness",
];

/** Members of a method's answer that the service tells and btcd does not, or that each node knows from itself. */
const dealtWithOtherwise: ReadonlyMap<string, readonly string[]> = new Map([
  ["decoderawtransaction", ["hash", "size", "vsize", "weight"]],
  ["searchrawtransactions", ["hash", "size", "vsize", "weight"]],
  ["getrawmempool", ["time", "height", "startingpriority", "currentpriority"]],
  // In a block's transactions, Bitcoin Core does not repeat the block.
  ["getblock", ["blockhash", "confirmations", "time", "blocktime"]],
]);

interface BitcoinCoreClient {
  command(
    method: string | readonly { readonly method: string; readonly parameters: readonly unknown[] }[],
    ...parameters: readonly unknown[]
  ): Promise<unknown>;
}

function createClient(options: Readonly<Record<string, string>>): BitcoinCoreClient {
  const load = createRequire(join(npmPackages ?? "", "index.js"));
  const Client = load("bitcoin-core") as new (options: Readonly<Record<string, string>>) => BitcoinCoreClient;
  return new Client({ ...options, version: "24.0.0" });
}
