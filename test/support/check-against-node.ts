import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { BitcoinProgram } from "./bitcoin-program.ts";
import { askRpc, readRest, readRestBytes } from "./calls.ts";
import type { ReadyNode } from "./service.ts";

/** How a node describes a transaction of a block. */
interface NodeTransaction {
  readonly hex: string;
  readonly txid: string;
  readonly hash: string;
  readonly size: number;
  readonly vsize: number;
  readonly weight: number;
  readonly version: number;
  readonly locktime: number;
  readonly vin: readonly NodeInput[];
  readonly vout: readonly NodeOutput[];
  readonly blockhash: string;
  readonly confirmations: number;
  readonly time: number;
  readonly blocktime: number;
}

interface NodeInput {
  readonly coinbase?: string;
  readonly txid?: string;
  readonly vout?: number;
  readonly scriptSig?: { readonly hex: string };
  readonly txinwitness?: readonly string[];
  readonly witness?: readonly string[];
  readonly sequence: number;
}

interface NodeOutput {
  /** In coins. */
  readonly value: number;
  /** No hex: an empty script. */
  readonly scriptPubKey: { readonly hex?: string; readonly type: string; readonly address?: string };
}

interface NodeBlock {
  readonly hash: string;
  readonly height: number;
  readonly size: number;
  readonly weight: number;
  readonly version: number;
  readonly merkleroot: string;
  readonly tx: readonly string[];
  readonly time: number;
  readonly nonce: number;
  readonly bits: string;
  /** Absent or zeros for the genesis block. */
  readonly previousblockhash?: string;
}

/** How much was compared. */
export interface CheckedCounts {
  readonly blocks: number;
  readonly transactions: number;
}

const requestsAtOnce = 8;
const blocksAtOnce = 100;
/** btcd names the parent that the genesis block does not have. */
const noHash = "0".repeat(64);

/**
 * Compares blocks of the best chain at these heights, and all their transactions, with the responses of a node: bytes, ids, sizes, weights,
 * previous outputs, fees, merkle proofs, which outputs are spent, and confirmations over JSON-RPC. The node has an index of transactions.
 */
export async function checkAgainstNode(
  node: ReadyNode,
  upstream: BitcoinProgram,
  heights: readonly number[],
): Promise<CheckedCounts> {
  let transactions = 0;
  for (let start = 0; start < heights.length; start += blocksAtOnce) {
    const blocks = await readBlocks(upstream, heights.slice(start, start + blocksAtOnce));
    await inParallel(blocks, (block) => checkBlock(node, block));
    const txids = blocks.flatMap(({ described }) =>
      described.tx.map((txid, position) => ({ txid, position, described })),
    );
    // No node gives the genesis block's transaction.
    const askable = txids.filter(({ described }) => described.height > 0);
    const found = await readTransactions(
      upstream,
      askable.map(({ txid }) => txid),
    );
    const parents = await readTransactions(
      upstream,
      [...found.values()].flatMap(({ vin }) => vin.flatMap(({ txid }) => txid ?? [])),
    );
    const unspent = await readUnspent(upstream, [...found.values()]);
    await inParallel(askable, async ({ txid, position, described }) => {
      const transaction = found.get(txid);
      if (transaction === undefined) throw new Error(`the node does not have ${txid}`);
      await checkTransaction(node, { transaction, position, block: described, parents, unspent });
    });
    transactions += askable.length;
  }
  return { blocks: heights.length, transactions };
}

interface ReadBlock {
  readonly hex: string;
  readonly described: NodeBlock;
}

async function readBlocks(upstream: BitcoinProgram, heights: readonly number[]): Promise<readonly ReadBlock[]> {
  const hashes = await upstream.callEach(
    "getblockhash",
    heights.map((height) => [height]),
  );
  const [hexes, described] = await Promise.all(
    [0, 1].map((verbosity) =>
      upstream.callEach(
        "getblock",
        hashes.map((hash) => [hash, verbosity]),
      ),
    ),
  );
  return hashes.map((_, at) => ({ hex: String(hexes?.[at]), described: described?.[at] as NodeBlock }));
}

async function readTransactions(
  upstream: BitcoinProgram,
  txids: readonly string[],
): Promise<ReadonlyMap<string, NodeTransaction>> {
  const distinct = [...new Set(txids)];
  const answers = await upstream.callEach(
    "getrawtransaction",
    distinct.map((txid) => [txid, 1]),
  );
  return new Map(distinct.map((txid, at) => [txid, answers[at] as NodeTransaction]));
}

/** Names of the outputs that are in the set of unspent ones of the node. */
async function readUnspent(
  upstream: BitcoinProgram,
  transactions: readonly NodeTransaction[],
): Promise<ReadonlySet<string>> {
  const outputs = transactions.flatMap(({ txid, vout }) => vout.map((_, at) => [txid, at, false] as const));
  const answers = await upstream.callEach("gettxout", outputs);
  return new Set(outputs.flatMap(([txid, at], index) => (answers[index] === null ? [] : [`${txid}:${at}`])));
}

async function checkBlock(node: ReadyNode, { hex, described }: ReadBlock): Promise<void> {
  const { hash, height, previousblockhash } = described;
  expect(await readRestBytes(node, `block-height/${height}`)).toEqual(Buffer.from(hash));
  expect((await readRestBytes(node, `block/${hash}/raw`)).toString("hex")).toBe(hex);
  expect(String(await readRestBytes(node, `block/${hash}/header`))).toBe(hex.slice(0, 160));
  expect(await readRest(node, `block/${hash}/txids`)).toEqual(described.tx);
  expect(await readRest(node, `block/${hash}`)).toMatchObject({
    id: hash,
    height,
    version: described.version >>> 0,
    timestamp: described.time,
    tx_count: described.tx.length,
    size: described.size,
    weight: described.weight,
    merkle_root: described.merkleroot,
    previousblockhash: previousblockhash === noHash ? null : (previousblockhash ?? null),
    nonce: described.nonce,
    bits: Number.parseInt(described.bits, 16),
  });
  expect(await readRest(node, `block/${hash}/status`)).toMatchObject({ in_best_chain: true, height });
}

interface CheckedTransaction {
  readonly transaction: NodeTransaction;
  readonly position: number;
  readonly block: NodeBlock;
  readonly parents: ReadonlyMap<string, NodeTransaction>;
  readonly unspent: ReadonlySet<string>;
}

async function checkTransaction(node: ReadyNode, held: CheckedTransaction): Promise<void> {
  const { transaction, block, parents, unspent, position } = held;
  const { txid, vin, vout } = transaction;
  expect(String(await readRestBytes(node, `tx/${txid}/hex`))).toBe(transaction.hex);
  const status = { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time };
  const previousOutputs = vin.map(({ txid: parent, vout: at }) =>
    parent === undefined ? undefined : parents.get(parent)?.vout[at ?? -1],
  );
  const paid = sumOf(vout);
  expect(await readRest(node, `tx/${txid}`)).toMatchObject({
    txid,
    version: transaction.version >>> 0,
    locktime: transaction.locktime,
    size: transaction.size,
    weight: transaction.weight,
    fee: vin[0]?.coinbase === undefined ? sumOf(previousOutputs.filter((output) => output !== undefined)) - paid : 0,
    vin: vin.map((input, at) => ({
      txid: input.txid ?? noHash,
      vout: input.vout ?? 0xffff_ffff,
      is_coinbase: input.coinbase !== undefined,
      scriptsig: input.coinbase ?? input.scriptSig?.hex,
      sequence: input.sequence,
      prevout: previousOutputs[at] === undefined ? null : outputOf(previousOutputs[at]),
      ...(input.coinbase === undefined && witnessOf(input) !== undefined ? { witness: witnessOf(input) } : {}),
    })),
    vout: vout.map(outputOf),
    status,
  });
  const outspends = (await readRest(node, `tx/${txid}/outspends`)) as readonly { readonly spent: boolean }[];
  expect(outspends.map(({ spent }) => !spent)).toEqual(
    vout.map(({ scriptPubKey: { hex = "" } }, at) => unspent.has(`${txid}:${at}`) || hex.startsWith("6a")),
  );
  const proof = (await readRest(node, `tx/${txid}/merkle-proof`)) as MerkleProof;
  expect(proof).toMatchObject({ block_height: block.height, pos: position });
  expect(rootOf(txid, proof)).toBe(block.merkleroot);
  const merkleblock = Buffer.from(String(await readRestBytes(node, `tx/${txid}/merkleblock-proof`)), "hex");
  expect(readMerkleblock(merkleblock)).toEqual({
    root: block.merkleroot,
    txids: [txid],
    transactions: block.tx.length,
  });
  expect(displayHashOf(sha256(sha256(merkleblock.subarray(0, 80))))).toBe(block.hash);
  const { result } = await askRpc(node, "getrawtransaction", txid, 1);
  const { hash, size, vsize, weight, blockhash, confirmations, time, blocktime } = transaction;
  expect(result).toMatchObject({ txid, hash, size, vsize, weight, blockhash, confirmations, time, blocktime });
}

function outputOf({ value, scriptPubKey: { hex = "", type, address } }: NodeOutput) {
  // btcd gives addresses to public keys as well.
  const hasAddress = address !== undefined && type !== "pubkey" && type !== "multisig";
  return { scriptpubkey: hex, value: satoshi(value), ...(hasAddress ? { scriptpubkey_address: address } : {}) };
}

function witnessOf({ txinwitness, witness }: NodeInput): readonly string[] | undefined {
  const items = txinwitness ?? witness;
  return items === undefined || items.length === 0 ? undefined : items;
}

function satoshi(coins: number): number {
  return Math.round(coins * 1e8);
}

function sumOf(outputs: readonly NodeOutput[]): number {
  return outputs.reduce((sum, { value }) => sum + satoshi(value), 0);
}

interface MerkleProof {
  readonly block_height: number;
  readonly merkle: readonly string[];
  readonly pos: number;
}

function rootOf(txid: string, { merkle, pos }: MerkleProof): string {
  let hash = Buffer.from(txid, "hex").reverse();
  for (const [level, text] of merkle.entries()) {
    const other = Buffer.from(text, "hex").reverse();
    const isRight = ((pos >> level) & 1) === 1;
    hash = sha256(sha256(Buffer.concat(isRight ? [other, hash] : [hash, other])));
  }
  return displayHashOf(hash);
}

/** Of hashes in wire order; leaves the bytes as they are. */
function displayHashOf(hash: Buffer): string {
  return Buffer.from(hash).reverse().toString("hex");
}

/** Walks the tree of a block that proves some of its transactions (BIP 37). Counts are below 253: the blocks here are small. */
function readMerkleblock(bytes: Buffer) {
  const transactions = bytes.readUInt32LE(80);
  const count = bytes.readUInt8(84);
  const hashes = Array.from({ length: count }, (_, at) => bytes.subarray(85 + at * 32, 117 + at * 32)).values();
  const flags = bytes.subarray(86 + count * 32);
  const txids: string[] = [];
  let flag = 0;
  const widthAt = (height: number): number => Math.ceil(transactions / 2 ** height);
  const nextHash = (): Buffer => hashes.next().value ?? expect.unreachable("The proof has too few hashes");
  const walk = (height: number, at: number): Buffer => {
    const isSet = (((flags[flag >> 3] ?? 0) >> (flag & 7)) & 1) === 1;
    flag += 1;
    if (height === 0 || !isSet) {
      const hash = nextHash();
      if (height === 0 && isSet) txids.push(displayHashOf(hash));
      return hash;
    }
    const left = walk(height - 1, at * 2);
    const right = at * 2 + 1 < widthAt(height - 1) ? walk(height - 1, at * 2 + 1) : left;
    return sha256(sha256(Buffer.concat([left, right])));
  };
  const root = displayHashOf(walk(Math.ceil(Math.log2(transactions)), 0));
  expect(hashes.next().done, "The proof has too many hashes").toBe(true);
  return { root, txids, transactions };
}

function sha256(bytes: Buffer): Buffer<ArrayBuffer> {
  return Buffer.from(createHash("sha256").update(bytes).digest());
}

async function inParallel<Item>(items: readonly Item[], action: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) await action(item);
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
}
