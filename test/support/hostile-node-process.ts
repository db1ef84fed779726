// A node as a process of its own: at `/bitcoin` it has the genesis block of regtest, at `/ethereum` a short chain. Every call that is sent to
// it gets a body that is made to take time or memory while one is chosen by `POST /body?name=NAME&length=BYTES`; without a name it is well
// again. Prints its port; ends when its input does.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { networks, toHex } from "@nodewright/bitcoin-primitives";
import { answerOfExecutionChain, createFakeChain, hostileBodies } from "@nodewright/upstream/testing";
import { regtestGenesisBlock } from "../../packages/bitcoin-indexer/src/testing/index.ts";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const genesis = regtestGenesisBlock();
const { genesisHash } = networks.regtest;
const client = { chain: createFakeChain("hostile", 20), chainId: "0x539", clientVersion: "Geth/v1.16.0-stable/linux" };

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

function answer({ id, method, params }: Call): string {
  const result =
    method === "getblockheader"
      ? header(params[1])
      : (results[method] ?? answerOfExecutionChain(client, method, params) ?? null);
  return `{"jsonrpc":"2.0","result":${JSON.stringify(result)},"error":null,"id":${id}}`;
}

function header(isVerbose: unknown): unknown {
  return isVerbose === false ? toHex(genesis.subarray(0, 80)) : { hash: genesisHash, height: 0 };
}

let hostile:
  | { readonly body: Iterable<Buffer>; readonly pauseMilliseconds: number; readonly isGzip: boolean }
  | undefined;

function chooseBody(parameters: URLSearchParams): void {
  const name = parameters.get("name") ?? "";
  const length = Number(parameters.get("length"));
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
  response.end("id" in calls ? answer(calls) : `[${calls.map(answer).join(",")}]`);
}

const server = createServer((request, response) => {
  // Who has had enough ends the connection.
  respond(request, response).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));
process.stdin.on("end", () => process.exit()).resume();
