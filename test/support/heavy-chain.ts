import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createArraySource, openEmbeddedStore, runIndexer } from "@nodewright/bitcoin-indexer";
import {
  mineRegtestBlock,
  type RegtestCoin,
  type RegtestTip,
  regtestGenesisBlock,
} from "@nodewright/bitcoin-indexer/testing";
import {
  displayHash,
  networks,
  parseBlock,
  parseBlockHeader,
  parseTransaction,
  serializeTransaction,
  type Transaction,
  type TransactionOutput,
} from "@nodewright/bitcoin-primitives";
import { buildChain } from "@nodewright/bitcoin-test-chain";

/** How heavy. */
export interface HeavySizes {
  /** Transactions of the large blocks together, about 3,500 to a block. */
  readonly transactions: number;
  /** Unconfirmed ones of all kinds; as many as the chain leaves outputs for. */
  readonly mempool: number;
  /** Transactions of each of the two clusters of the mempool: a line and a fan. */
  readonly cluster: number;
  /** Blocks of the long chain. */
  readonly length: number;
  /** Stale branches of the long chain. */
  readonly branches: number;
}

/** A chain of large blocks with a large mempool. */
export interface HeavyChain {
  readonly tip: RegtestTip;
  /** Parents before their children. */
  readonly unconfirmed: readonly Transaction[];
  readonly facts: HeavyFacts;
}

/** What requests name. Hashes and ids in display order. */
export interface HeavyFacts {
  readonly bigBlock: string;
  readonly bigHeight: number;
  /** Of the large block, in order. */
  readonly bigTxids: readonly string[];
  /** A script in about one of eight transactions. */
  readonly hotScript: string;
  readonly lineMiddle: string;
  readonly lineEnd: string;
  readonly fanTop: string;
  /** The large block, in hexadecimal. */
  readonly bigBytes: string;
}

const { regtest } = networks;
/** Anyone may spend it. */
const openScript: Uint8Array = Uint8Array.of(0x51);
const fee = 1_000n;

/** Makes the chain with large blocks and lets an index in `directory` take it. */
export async function buildHeavyChain(directory: string, sizes: HeavySizes): Promise<HeavyChain> {
  const { transactions, mempool } = sizes;
  const chain = buildChain({
    seed: 6,
    transactions,
    // Far fewer than they need: every one of them is full.
    blocks: 102,
    signatures: "placeholder",
    mempool: { transactions: mempool, blocks: 0 },
  });
  const blocks: Uint8Array[] = [];
  for await (const { bytes } of chain.blocks) blocks.push(bytes);
  await indexBlocks(directory, blocks);
  const unconfirmed: Transaction[] = [];
  for await (const step of chain.mempool) {
    if (step.kind === "arrival") unconfirmed.push(parseTransaction(step.transaction.bytes));
  }
  const tip = tipOf(blocks);
  const [lineCoin, fanCoin] = unspentAbove(tip, unconfirmed);
  const line = lineFrom(lineCoin, sizes.cluster);
  const fan = fanFrom(fanCoin, sizes.cluster);
  const bigHeight = blocks.findLastIndex((bytes) => bytes.length > 1_000_000);
  const big = blocks[bigHeight] ?? raise("No block is large");
  const { header, transactions: bigTransactions } = parseBlock(big);
  return {
    tip,
    unconfirmed: [...unconfirmed, ...line, ...fan],
    facts: {
      bigBlock: displayHash(header.hash),
      bigHeight,
      bigTxids: bigTransactions.map(({ txid }) => displayHash(txid)),
      hotScript: mostPaid(blocks),
      lineMiddle: idOf(line[line.length >> 1]),
      lineEnd: idOf(line.at(-1)),
      fanTop: idOf(fan[0]),
      bigBytes: Buffer.from(big).toString("hex"),
    },
  };
}

/** Makes a chain of empty blocks with stale branches of one block each. Gives the hashes of the best chain by height. */
export async function buildLongChain(
  directory: string,
  { length, branches }: Pick<HeavySizes, "length" | "branches">,
): Promise<readonly string[]> {
  const best = [regtestGenesisBlock()];
  const store = await openOne(directory);
  const source = createArraySource(regtest, best);
  for (let height = 1; height <= length; height += 1) {
    const parent = best[height - 1] ?? raise("A chain has no gaps");
    const block = emptyBlock(parent, height, 0);
    best.push(block);
    if (height <= length - branches) {
      source.add(block);
      continue;
    }
    // The branch is the best chain until the block above the other one comes.
    await runIndexer({ store, source });
    source.add(emptyBlock(parent, height, 1));
    await runIndexer({ store, source });
    source.add(block);
  }
  source.add(emptyBlock(best.at(-1) ?? raise("A chain has blocks"), length + 1, 0));
  await runIndexer({ store, source });
  await store.close();
  return best.map((bytes) => displayHash(parseBlockHeader(bytes.subarray(0, 80)).hash));
}

/** A transaction of about `bytes` bytes with many inputs and outputs, as hexadecimal. */
export function largeTransaction(bytes: number): string {
  const count = Math.floor(bytes / (41 + 31 + 3));
  const txid = createHash("sha256").update("large").digest();
  return Buffer.from(
    serializeTransaction({
      version: 2,
      inputs: Array.from({ length: count }, (_, vout) => ({
        previousOutput: { txid, vout },
        scriptSig: new Uint8Array(0),
        sequence: 0xfffffffd,
        witness: [],
      })),
      outputs: Array.from({ length: count }, (_, position) => ({
        value: 1_000n,
        scriptPubKey: keyHashScript(position),
      })),
      locktime: 0,
    }),
  ).toString("hex");
}

function keyHashScript(position: number): Uint8Array {
  const hash = createHash("sha256").update(String(position)).digest().subarray(0, 20);
  return Buffer.concat([Uint8Array.of(0, 20), hash]);
}

async function openOne(directory: string): ReturnType<typeof openEmbeddedStore> {
  mkdirSync(directory, { recursive: true });
  return openEmbeddedStore(directory, regtest);
}

async function indexBlocks(directory: string, blocks: readonly Uint8Array[]): Promise<void> {
  const store = await openOne(directory);
  await runIndexer({ store, source: createArraySource(regtest, blocks) });
  await store.close();
}

function emptyBlock(parent: Uint8Array, height: number, salt: number): Uint8Array {
  const { hash, time } = parseBlockHeader(parent.subarray(0, 80));
  return mineRegtestBlock({
    previousHash: hash,
    height,
    time: time + 600,
    scriptPubKey: openScript,
    salt,
    transactions: [],
  });
}

function tipOf(blocks: readonly Uint8Array[]): RegtestTip {
  const coins = new Map<string, RegtestCoin>();
  for (const bytes of blocks) {
    for (const { txid, inputs, outputs } of parseBlock(bytes).transactions) {
      for (const { previousOutput } of inputs) coins.delete(nameOf(previousOutput));
      for (const [vout, { value, scriptPubKey }] of outputs.entries()) {
        const outpoint = { txid, vout };
        coins.set(nameOf(outpoint), { outpoint, value, scriptPubKey });
      }
    }
  }
  const bytes = blocks.at(-1) ?? raise("A chain has blocks");
  const { hash, time } = parseBlock(bytes).header;
  return { bytes, hash, height: blocks.length - 1, time, coins: [...coins.values()] };
}

/** Two valuable outputs that nothing spends. */
function unspentAbove({ coins }: RegtestTip, unconfirmed: readonly Transaction[]): readonly [RegtestCoin, RegtestCoin] {
  const spent = new Set(
    unconfirmed.flatMap(({ inputs }) => inputs.map(({ previousOutput }) => nameOf(previousOutput))),
  );
  const [first, second] = coins
    .filter(({ outpoint }) => !spent.has(nameOf(outpoint)))
    .sort((left, right) => (left.value < right.value ? 1 : -1));
  return first === undefined || second === undefined ? raise("Nothing is left to spend") : [first, second];
}

/** Each spends the one before, and pays more than it. */
function lineFrom(coin: Pick<RegtestCoin, "outpoint" | "value">, length: number): readonly Transaction[] {
  const line: Transaction[] = [];
  for (let last = coin; line.length < length; ) {
    const value = last.value - fee - BigInt(line.length);
    const transaction = spend(last, [{ value, scriptPubKey: openScript }]);
    line.push(transaction);
    last = { outpoint: { txid: transaction.txid, vout: 0 }, value };
  }
  return line;
}

/** One with many children. */
function fanFrom({ outpoint, value }: RegtestCoin, length: number): readonly Transaction[] {
  const each = (value - fee) / BigInt(length);
  const top = spend(
    { outpoint, value },
    Array.from({ length }, () => ({ value: each, scriptPubKey: openScript })),
  );
  const children = top.outputs.map((_output, vout) =>
    spend({ outpoint: { txid: top.txid, vout }, value: each }, [
      { value: each - fee - BigInt(vout), scriptPubKey: openScript },
    ]),
  );
  return [top, ...children];
}

function spend(
  { outpoint }: Pick<RegtestCoin, "outpoint" | "value">,
  outputs: readonly TransactionOutput[],
): Transaction {
  const input = { previousOutput: outpoint, scriptSig: new Uint8Array(0), sequence: 0xfffffffd, witness: [] };
  return parseTransaction(serializeTransaction({ version: 2, inputs: [input], outputs, locktime: 0 }));
}

/** The script of the most outputs, as hexadecimal. */
function mostPaid(blocks: readonly Uint8Array[]): string {
  const counts = new Map<string, number>();
  for (const bytes of blocks.filter(({ length }) => length > 1_000)) {
    for (const { outputs } of parseBlock(bytes).transactions) {
      for (const { scriptPubKey } of outputs) {
        const script = Buffer.from(scriptPubKey).toString("hex");
        counts.set(script, (counts.get(script) ?? 0) + 1);
      }
    }
  }
  // Of scripts with an address, which data and bare keys have not.
  const withAddress = [...counts].filter(([script]) => /^(0014|0020|5120|a914|76a914)/.test(script));
  return withAddress.sort(([, left], [, right]) => right - left)[0]?.[0] ?? raise("Nothing is paid");
}

function nameOf({ txid, vout }: { readonly txid: Uint8Array; readonly vout: number }): string {
  return `${displayHash(txid)}:${vout}`;
}

function idOf(transaction: Transaction | undefined): string {
  return transaction === undefined ? raise("A cluster has members") : displayHash(transaction.txid);
}

function raise(message: string): never {
  throw new Error(message);
}
