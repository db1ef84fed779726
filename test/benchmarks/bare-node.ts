// A node for the benchmark of forwarded methods, as a process of its own: a bare HTTP server with kept-alive connections that has the
// genesis block of regtest and answers each call with as little work as there can be. Prints its port; ends when its input does.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networks, toHex } from "@nodewright/bitcoin-primitives";
import { regtestGenesisBlock } from "../../packages/bitcoin-indexer/src/testing/index.ts";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const genesis = regtestGenesisBlock();
const { genesisHash } = networks.regtest;

const results: Readonly<Record<string, unknown>> = {
  getblockcount: 0,
  getbestblockhash: genesisHash,
  getblockhash: genesisHash,
  getblock: toHex(genesis),
  getconnectioncount: 8,
  getnetworkinfo: { version: 310_000, subversion: "/Satoshi:31.0.0/", connections: 8 },
  getnodeaddresses: [{ time: 1_700_000_000, services: 9, address: "192.0.2.1", port: 8_333, network: "ipv4" }],
  getrawmempool: [],
};

function answer({ id, method, params }: Call): string {
  const result = method === "getblockheader" ? header(params[1]) : results[method];
  return `{"result":${JSON.stringify(result ?? null)},"error":null,"id":${id}}`;
}

function header(isVerbose: unknown): unknown {
  return isVerbose === false ? toHex(genesis.subarray(0, 80)) : { hash: genesisHash, height: 0 };
}

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  request.on("end", () => {
    const calls = JSON.parse(text) as Call | readonly Call[];
    const body = "id" in calls ? answer(calls) : `[${calls.map(answer).join(",")}]`;
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
  });
});
server.keepAliveTimeout = 30_000;
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));
process.stdin.on("end", () => process.exit()).resume();
