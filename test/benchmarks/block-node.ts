/**
 * A node for the benchmark of indexing, as a process of its own: serves the chain of a directory of regtest block files, which stand in
 * chain order without stale branches, over JSON-RPC in batches. Says its port once it listens; ends when its input does.
 *
 *     node --conditions=source test/benchmarks/block-node.ts DIRECTORY
 */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { displayHash, parseBlockHeader, toHex } from "@nodewright/bitcoin-primitives";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Magic and length before each block. */
const prefixLength = 8;
const headerLength = 80;
const noBytes = Buffer.alloc(0);

const [directory = "."] = process.argv.slice(2);
const blocks = readBlocks(directory);
const hashes = blocks.map((block) => displayHash(parseBlockHeader(block.subarray(0, headerLength)).hash));
const blockByHash = new Map(hashes.map((hash, height) => [hash, blocks[height]]));

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => answer(JSON.parse(Buffer.concat(chunks).toString()) as Call | readonly Call[], response));
});
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));
process.stdin.on("end", () => process.exit()).resume();

function answer(calls: Call | readonly Call[], response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  response.end("id" in calls ? envelope(calls) : `[${calls.map(envelope).join(",")}]`);
}

function envelope({ id, method, params }: Call): string {
  return `{"jsonrpc":"2.0","result":${JSON.stringify(resultOf(method, params) ?? null)},"error":null,"id":${id}}`;
}

function resultOf(method: string, [first]: readonly unknown[]): unknown {
  switch (method) {
    case "getblockcount":
      return blocks.length - 1;
    case "getbestblockhash":
      return hashes.at(-1);
    case "getblockhash":
      return hashes[Number(first)];
    case "getblockheader":
      return toHex((blockByHash.get(String(first)) ?? noBytes).subarray(0, headerLength));
    case "getblock":
      return toHex(blockByHash.get(String(first)) ?? noBytes);
    default:
      return undefined;
  }
}

function readBlocks(path: string): readonly Buffer[] {
  const read: Buffer[] = [];
  for (const name of readdirSync(path).sort()) {
    if (!/^blk\d+\.dat$/.test(name)) continue;
    const bytes = readFileSync(join(path, name));
    for (let at = 0; at + prefixLength < bytes.length; ) {
      const length = bytes.readUInt32LE(at + 4);
      if (length === 0) break;
      read.push(bytes.subarray(at + prefixLength, at + prefixLength + length));
      at += prefixLength + length;
    }
  }
  return read;
}
