/**
 * A node for the mempool's benchmark, as a process of its own: a regtest chain of fan-out transactions and a mempool of spends of them,
 * served over JSON-RPC. Nothing is signed. Told `{ "transactions": n }` it makes a chain for them and answers its port;
 * told `{ "fill": true }` it makes them; told `{ "change": n }` it puts
 * n new transactions in the place of the oldest; told `{ "block": n }` it confirms the n oldest.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mineRegtestBlock, regtestGenesisBlock } from "../../packages/bitcoin-indexer/src/testing/index.ts";
import {
  displayHash,
  parseBlock,
  parseBlockHeader,
  parseTransaction,
  serializeTransaction,
  toHex,
  type Transaction,
  type TransactionContent,
} from "../../packages/bitcoin-primitives/src/index.ts";

interface Coin {
  readonly txid: Uint8Array;
  readonly vout: number;
  readonly value: bigint;
}

/** Of mainnet's usual payments: a witness of a signature and a key. */
const witness = [new Uint8Array(72).fill(1), new Uint8Array(33).fill(2)];
const outputsPerFanOut = 20;
const fanOutsPerBlock = 1_400;

const blocks: { readonly hash: string; readonly bytes: Buffer }[] = [];
/** By txid, oldest first; transactions in hex. */
const mempool = new Map<string, { readonly hex: string; readonly transaction: Transaction }>();
let coins: Coin[] = [];
let seed = 1;
let list = "[]";

process.once("disconnect", () => process.exit());

process.once("message", ({ transactions }: { readonly transactions: number }) => {
  buildChain(transactions * 2 + 2_000);
  serve();
  process.on(
    "message",
    ({ fill, change, block }: { readonly fill?: true; readonly change?: number; readonly block?: number }) => {
      if (fill === true) for (let count = 0; count < transactions; count += 1) arrive();
      if (change !== undefined) {
        for (const txid of [...mempool.keys()].slice(0, change)) mempool.delete(txid);
        for (let count = 0; count < change; count += 1) arrive();
      }
      if (block !== undefined) confirm(block);
      list = JSON.stringify([...mempool.keys()]);
      process.send?.({ done: true });
    },
  );
});

function buildChain(coinCount: number): void {
  add(regtestGenesisBlock());
  let sources: Coin[] = [];
  for (let height = 1; height <= 110; height += 1) {
    const { transactions } = add(mine([]));
    const [coinbase] = transactions;
    if (coinbase !== undefined) sources.push(...coinsOf(coinbase));
  }
  // First every coinbase into a thousand, then these into twenty each.
  const wide = sources.slice(0, Math.ceil(coinCount / 20 / 1_000)).map((coin) => pay([coin], 1_000, 0n));
  sources = add(mine(wide)).transactions.slice(1).flatMap(coinsOf);
  while (coins.length < coinCount && sources.length > 0) {
    const narrow = sources.splice(0, fanOutsPerBlock).map((coin) => pay([coin], outputsPerFanOut, 0n));
    coins.push(...add(mine(narrow)).transactions.slice(1).flatMap(coinsOf));
  }
  coins = shuffled(coins);
}

function add(bytes: Uint8Array): ReturnType<typeof parseBlock> {
  const block = parseBlock(bytes);
  blocks.push({ hash: displayHash(block.header.hash), bytes: Buffer.from(bytes) });
  return block;
}

function mine(transactions: readonly TransactionContent[]): Uint8Array {
  const tip = blocks.at(-1);
  if (tip === undefined) throw new Error("No genesis block");
  const { hash, time } = parseBlockHeader(tip.bytes.subarray(0, 80));
  return mineRegtestBlock({
    previousHash: hash,
    height: blocks.length,
    time: time + 600,
    scriptPubKey: script(),
    transactions,
  });
}

/** One of ten spends an output of the mempool; inputs and outputs are one to three. */
function arrive(): void {
  const picked: Coin[] = [];
  const inputs = 1 + Math.floor(random() ** 2 * 3);
  for (let count = 0; count < inputs; count += 1) {
    const coin = coins.pop();
    if (coin !== undefined) picked.push(coin);
  }
  if (picked.length === 0) throw new Error("No coins left");
  const outputs = 1 + Math.floor(random() * 2.5);
  const fee = BigInt(Math.floor(140 * 1.01 ** Math.floor(random() * 500)));
  const content = pay(picked, outputs, fee);
  const bytes = serializeTransaction(content);
  const transaction = parseTransaction(bytes);
  mempool.set(displayHash(transaction.txid), { hex: toHex(bytes), transaction });
  const [first] = coinsOf(transaction);
  // Every tenth has a child soon, which then is worth as much as a coin of the chain.
  if (first !== undefined && random() < 0.1) coins.push(first);
}

function confirm(count: number): void {
  const chosen = [...mempool].slice(0, count);
  add(mine(chosen.map(([, { transaction }]) => transaction)));
  for (const [txid] of chosen) mempool.delete(txid);
}

function pay(spent: readonly Coin[], outputCount: number, fee: bigint): TransactionContent {
  const sum = spent.reduce((total, { value }) => total + value, 0n);
  const value = (sum > fee ? sum - fee : 0n) / BigInt(outputCount);
  return {
    version: 2,
    inputs: spent.map(({ txid, vout }) => ({
      previousOutput: { txid, vout },
      scriptSig: new Uint8Array(0),
      sequence: 0xfffffffd,
      witness,
    })),
    outputs: Array.from({ length: outputCount }, () => ({ value, scriptPubKey: script() })),
    locktime: 0,
  };
}

function coinsOf({ txid, outputs }: Transaction): Coin[] {
  return outputs.map(({ value }, vout) => ({ txid, vout, value }));
}

/** P2WPKH; one of a hundred to the same address. */
function script(): Uint8Array {
  const bytes = Buffer.alloc(22);
  bytes[1] = 20;
  if (random() >= 0.01)
    for (let offset = 2; offset < 22; offset += 4) bytes.writeUInt32LE(Math.floor(random() * 2 ** 32), offset);
  return bytes;
}

function shuffled<Item>(items: Item[]): Item[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    const [left, right] = [items[index], items[other]];
    if (left === undefined || right === undefined) continue;
    items[index] = right;
    items[other] = left;
  }
  return items;
}

/** Mulberry32. */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

function serve(): void {
  const byHash = new Map<string, Buffer>();
  const answer = ({ id, method, params: [first] }: Call): string => {
    for (const { hash, bytes } of blocks.slice(byHash.size)) byHash.set(hash, bytes);
    const result = ((): string | undefined => {
      if (method === "getblockcount") return String(blocks.length - 1);
      if (method === "getbestblockhash") return `"${blocks.at(-1)?.hash}"`;
      if (method === "getrawmempool") return list;
      if (method === "getrawtransaction") return quoted(mempool.get(String(first))?.hex);
      if (method === "getblockhash") return quoted(blocks[Number(first)]?.hash);
      const block = byHash.get(String(first));
      if (method === "getblockheader") return quoted(block?.toString("hex", 0, 80));
      if (method === "getblock") return quoted(block?.toString("hex"));
      return undefined;
    })();
    const error = method.startsWith("estimate") ? '{"code":-32601,"message":"-"}' : '{"code":-5,"message":"-"}';
    return `{"id":${id},"result":${result ?? "null"},"error":${result === undefined ? error : "null"}}`;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const calls = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
      response.end(Array.isArray(calls) ? `[${calls.map(answer).join(",")}]` : answer(calls));
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `"${text}"`;
}
