import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { displayHash, parseBlock, toHex } from "@nodewright/bitcoin-primitives";

/** A Bitcoin node as far as an indexer needs one: it has a list of blocks, and answers JSON-RPC about them. */
export interface BlockNode {
  readonly port: number;
  /** Adds a block on top. */
  add(block: Uint8Array): void;
  close(): Promise<void>;
}

const headerBytes = 80;

/** Serves `blocks`, the first being the genesis block, to callers with this user and password. */
export async function startBlockNode(blocks: readonly Uint8Array[], userAndPassword: string): Promise<BlockNode> {
  const chain: { readonly hash: string; readonly bytes: Uint8Array }[] = [];
  const add = (bytes: Uint8Array): void => void chain.push({ hash: displayHash(parseBlock(bytes).header.hash), bytes });
  for (const block of blocks) add(block);
  const find = (hash: unknown) => chain.find((block) => block.hash === hash);
  const methods: Readonly<Record<string, (parameter: unknown) => unknown>> = {
    getblockcount: () => chain.length - 1,
    getbestblockhash: () => chain.at(-1)?.hash,
    getblockhash: (height) => chain[Number(height)]?.hash,
    getblockheader: (hash) => toHex(find(hash)?.bytes.subarray(0, headerBytes) ?? new Uint8Array()),
    getblock: (hash) => toHex(find(hash)?.bytes ?? new Uint8Array()),
  };
  const answer = ({ id, method, params }: { id: unknown; method: string; params: readonly unknown[] }) => {
    const result = methods[method]?.(params[0]);
    const error = result === undefined ? { code: -5, message: "Not found" } : null;
    return { result: result ?? null, error, id };
  };
  const expected = `Basic ${Buffer.from(userAndPassword).toString("base64")}`;
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== expected) {
      response.writeHead(401).end();
      return;
    }
    const body: unknown = JSON.parse(await readBody(request));
    const calls = (Array.isArray(body) ? body : [body]) as Parameters<typeof answer>[0][];
    const answers = calls.map(answer);
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    add,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
