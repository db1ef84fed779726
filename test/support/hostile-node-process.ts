// A node as a process of its own: at `/bitcoin` it has the genesis block of regtest, at `/ethereum` a short chain. Every call that is sent to
// it gets a body that is made to take time or memory while one is chosen by `POST /body?name=NAME&length=BYTES`; without a name it is well
// again. With the name `paddedBlocks` its blocks are valid and so much longer, and it takes no batches. Prints its port; ends when its input
// does.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { networks, toHex } from "@nodewright/bitcoin-primitives";
import { responseOfExecutionChain, createFakeChain, hostileBodies } from "@nodewright/upstream/testing";
import { regtestGenesisBlock } from "../../packages/bitcoin-indexer/src/testing/index.ts";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const genesis = regtestGenesisBlock();
const { genesisHash } = networks.regtest;
const client = { chain: createFakeChain("hostile", 120), chainId: "0x539", clientVersion: "Geth/v1.16.0-stable/linux" };

const results: Readonly<Record<string, unknown>> = {
  getblockcount: 0,
  getbestblockhash: genesisHash,
  getblockhash: genesisHash,
  getblock: toHex(genesis),
  getconnectioncount: 8,
  getnetworkinfo: { version: 310_000, subversion: "/Satoshi:31.0.0/", connections: 8 },
  getpeerinfo: [],
  getrawmempool: [],
  eth_gasPrice: "0x1",
  eth_getLogs: [],
};

/** Member of each block, in pieces that are no longer than strings of results are; empty while the node is well. */
let padding: readonly string[] = [];

const paddingBytes = 60_000;

function answer({ id, method, params }: Call): string {
  return `{"jsonrpc":"2.0","result":${JSON.stringify(resultOf(method, params))},"error":null,"id":${id}}`;
}

function resultOf(method: string, params: readonly unknown[]): unknown {
  if (method === "getblockheader") return header(params[1]);
  const result = results[method] ?? responseOfExecutionChain(client, method, params) ?? null;
  return method.startsWith("eth_getBlockBy") && result !== null ? { ...blockMembers, ...result, padding } : result;
}

const word = `0x${"0".repeat(64)}`;

/** What a block has beside its place in the chain. */
const blockMembers = {
  ...Object.fromEntries(
    ["sha3Uncles", "stateRoot", "transactionsRoot", "receiptsRoot", "mixHash"].map((name) => [name, word]),
  ),
  ...Object.fromEntries(
    ["difficulty", "gasLimit", "gasUsed", "timestamp", "baseFeePerGas"].map((name) => [name, "0x1"]),
  ),
  miner: `0x${"0".repeat(40)}`,
  logsBloom: `0x${"0".repeat(512)}`,
  extraData: "0x",
};

function header(isVerbose: unknown): unknown {
  return isVerbose === false ? toHex(genesis.subarray(0, 80)) : { hash: genesisHash, height: 0 };
}

let hostile:
  | { readonly body: Iterable<Buffer>; readonly pauseMilliseconds: number; readonly isGzip: boolean }
  | undefined;

function chooseBody(parameters: URLSearchParams): void {
  const name = parameters.get("name") ?? "";
  const length = Number(parameters.get("length"));
  padding =
    name === "paddedBlocks" ? Array<string>(Math.ceil(length / paddingBytes)).fill("x".repeat(paddingBytes)) : [];
  const create = Object.entries(hostileBodies).find(([known]) => known === name)?.[1];
  // Made before it is sent: what takes its time is to be the reader.
  hostile = create && {
    body: [...create(length)],
    pauseMilliseconds: Number(parameters.get("pause")),
    isGzip: name === "gzip",
  };
}

async function* slowly(body: Iterable<Buffer>, pauseMilliseconds: number): AsyncIterable<Buffer> {
  for (const chunk of body) {
    if (pauseMilliseconds > 0) await sleep(pauseMilliseconds);
    yield chunk;
  }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  if (pathname === "/body") {
    chooseBody(searchParams);
    response.end();
    return;
  }
  response.setHeader("content-type", "application/json");
  if (hostile !== undefined) {
    const { body, pauseMilliseconds, isGzip } = hostile;
    if (isGzip) response.setHeader("content-encoding", "gzip");
    await pipeline(Readable.from(slowly(body, pauseMilliseconds)), response);
    return;
  }
  const calls = JSON.parse(text) as Call | readonly Call[];
  if ("id" in calls) response.end(answer(calls));
  else if (padding.length === 0) response.end(`[${calls.map(answer).join(",")}]`);
  else response.end('{"id":null,"error":{"code":-32600,"message":"batch requests are not supported"}}');
}

const server = createServer((request, response) => {
  // Who has had enough ends the connection.
  respond(request, response).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));
process.stdin.on("end", () => process.exit()).resume();
