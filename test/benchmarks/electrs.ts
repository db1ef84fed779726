// electrs beside us: the index that speaks the same API, started on the same block files by the benchmarks that are given `--electrs PATH`.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BlockHash, displayHash, networks, parseBlockHeader, toHex } from "@nodewright/bitcoin-primitives";
import { findFreePort } from "../support/free-port.ts";
import { memoryOf } from "../support/process-memory.ts";
import { cpuSecondsOf } from "./measure.ts";

/** What electrs cost until it served its index. */
export interface ElectrsStart {
  /** As the program names itself. */
  readonly version: string;
  readonly url: string;
  readonly pid: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Peak resident memory in MB of 10^6 bytes. */
  readonly peakMegabytes: number;
  /** Of its database, in bytes. */
  readonly databaseBytes: number;
  /** Of what stands in for its node: JSON-RPC, for another index beside it. */
  readonly nodeUrl: string;
  stop(): Promise<void>;
}

export interface ElectrsOptions {
  readonly parameters?: readonly string[];
  /** Unconfirmed transactions in hex, by id. */
  readonly mempool?: ReadonlyMap<string, string>;
}

/** Starts electrs on a directory of regtest block files in chain order without stale branches, and waits until it serves. */
export async function startElectrs(
  program: string,
  blocks: string,
  { parameters = [], mempool = new Map() }: ElectrsOptions = {},
): Promise<ElectrsStart> {
  const daemon = await startDaemon(blocks, mempool);
  const database = mkdtempSync(join(tmpdir(), "nodewright-electrs-"));
  const [http, electrum, monitoring] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const start = performance.now();
  const child = spawn(
    program,
    [
      ...["--network", "regtest", "--blocks-dir", blocks, "--daemon-dir", database, "--db-dir", join(database, "db")],
      ...["--cookie", "user:password", "--daemon-rpc-addr", `127.0.0.1:${portOf(daemon)}`, "--address-search"],
      ...["--http-addr", `127.0.0.1:${http}`, "--electrum-rpc-addr", `127.0.0.1:${electrum}`],
      ...["--monitoring-addr", `127.0.0.1:${monitoring}`, ...parameters],
    ],
    { stdio: "ignore" },
  );
  const stop = async (): Promise<void> => {
    await end(child);
    daemon.close();
    daemon.closeAllConnections();
    rmSync(database, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${http}`;
  try {
    await untilServing(child, `${url}/blocks/tip/height`);
  } catch (reason) {
    await stop();
    throw reason;
  }
  const pid = child.pid ?? 0;
  return {
    version: execFileSync(program, ["--version"], { encoding: "utf8" }).trim(),
    url,
    pid,
    cpuSeconds: cpuSecondsOf(pid),
    wallSeconds: (performance.now() - start) / 1000,
    peakMegabytes: memoryOf(pid).peak / 1e6,
    databaseBytes: sizeOf(database),
    nodeUrl: `http://127.0.0.1:${portOf(daemon)}/`,
    stop,
  };
}

/** Bytes that the files below a directory take. */
export function sizeOf(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += readFileSync(join(entry.parentPath, entry.name)).length;
  }
  return bytes;
}

interface Header {
  readonly hash: BlockHash;
  readonly hex: string;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What stands in for a node knows: its chain, and the hex of its unconfirmed transactions by id. */
interface NodeContents {
  readonly headers: readonly Header[];
  readonly heights: ReadonlyMap<string, number>;
  readonly mempool: ReadonlyMap<string, string>;
}

/** Answers what an index asks of the node that it needs beside the files: the headers and the mempool. */
async function startDaemon(blocks: string, mempool: ReadonlyMap<string, string>): Promise<Server> {
  const headers = readHeaders(blocks);
  const contents = { headers, heights: new Map(headers.map(({ hash }, height) => [hash, height])), mempool };
  // electrs writes its requests by hand: no Host, lines without carriage return.
  const server = createServer({ insecureHTTPParser: true, requireHostHeader: false }, (request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      text += piece;
    });
    request.on("end", () => {
      const asked = JSON.parse(text) as Call | readonly Call[];
      const answers = "method" in asked ? answerCall(asked, contents) : asked.map((call) => answerCall(call, contents));
      // And reads answers by the line, with the names of headers in these letters.
      const body = `${JSON.stringify(answers)}\n`;
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
      response.end(body);
    });
  });
  // Its own connection is kept for as long as it likes.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const methodNotFound = -32601;

function answerCall({ id, method, params }: Call, contents: NodeContents): unknown {
  const result = answerOf(method, params, contents);
  if (result !== undefined) return { id, error: null, result };
  return { id, error: { code: methodNotFound, message: `${method} is not answered` }, result: null };
}

/** `undefined`: it is nothing that the stand-in knows. */
function answerOf(method: string, params: readonly unknown[], { headers, heights, mempool }: NodeContents): unknown {
  const tip = headers.length - 1;
  switch (method) {
    case "getnetworkinfo":
      return { version: 270000, subversion: "/stand-in/", relayfee: 0.00001 };
    case "getblockchaininfo":
      return {
        chain: "regtest",
        blocks: tip,
        headers: tip,
        bestblockhash: headers[tip]?.hash,
        pruned: false,
        verificationprogress: 1,
        initialblockdownload: false,
      };
    case "getmempoolinfo":
      return { loaded: true };
    case "getblockcount":
      return tip;
    case "getbestblockhash":
      return headers[tip]?.hash;
    case "getblockhash":
      return headers[Number(params[0])]?.hash;
    case "getblockheader": {
      const height = heights.get(String(params[0])) ?? 0;
      return params[1] === false ? headers[height]?.hex : { height, hash: headers[height]?.hash };
    }
    case "getrawmempool":
      return [...mempool.keys()];
    case "getrawtransaction":
      return mempool.get(String(params[0]));
    case "estimatesmartfee":
      return { errors: ["Insufficient data or no feerate found"], blocks: params[0] };
    default:
      return undefined;
  }
}

const prefixLength = 8;

function readHeaders(directory: string): readonly Header[] {
  const headers: Header[] = [];
  const names = readdirSync(directory).filter((name) => /^blk\d+\.dat$/.test(name));
  for (const name of names.toSorted()) {
    const bytes = readFileSync(join(directory, name));
    for (let offset = 0; offset + prefixLength < bytes.length; ) {
      if (!bytes.subarray(offset, offset + 4).equals(networks.regtest.magic)) break;
      const header = bytes.subarray(offset + prefixLength, offset + prefixLength + 80);
      headers.push({ hash: displayHash(parseBlockHeader(header).hash), hex: toHex(header) });
      offset += prefixLength + bytes.readUInt32LE(offset + 4);
    }
  }
  return headers;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** It opens its HTTP door when its index is whole. */
async function untilServing(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 6_000; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`electrs has ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(100);
  }
  throw new Error("electrs does not serve after ten minutes");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGINT");
  const deadline = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await once(child, "exit");
  clearTimeout(deadline);
}
