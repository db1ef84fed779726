import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Block,
  createMerkleBlock,
  displayHash,
  equalBytes,
  hasValidWitnessCommitment,
  isZeroHash,
  meetsProofOfWork,
  merkleBranch,
  merkleRootOfBranch,
  merkleTree,
  networks,
  parseBlock,
  parseMerkleBlock,
  parseTransaction,
  extractMerkleProof,
  serializeBlock,
  serializeMerkleBlock,
  workOfBits,
} from "./index.ts";

const workspace = new URL("../../../", import.meta.url);

function readFixture(path: string): Uint8Array {
  return zstdDecompressSync(readFileSync(new URL(path, workspace)));
}

/** Splits a block file: magic, length, block, and again. */
function* splitBlockFile(file: Uint8Array, magic: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let offset = 0; offset < file.length; ) {
    expect(equalBytes(file.subarray(offset, offset + 4), magic)).toBe(true);
    const length = view.getUint32(offset + 4, true);
    yield file.subarray(offset + 8, offset + 8 + length);
    offset += 8 + length;
  }
}

function transactionIdsOf(block: Block): Uint8Array[] {
  return block.transactions.map((transaction) => transaction.txid);
}

describe("mainnet blocks 0 to 14131", () => {
  const { mainnet } = networks;
  let file: Uint8Array;
  let blocks: Block[];

  beforeAll(() => {
    file = readFixture("packages/service/demo/bitcoin-mainnet/blocks-0-14131.dat.zst");
    blocks = [...splitBlockFile(file, mainnet.magic)].map((bytes) => parseBlock(bytes));
  });

  test("are the data that their README names", () => {
    expect(createHash("sha256").update(file).digest("hex")).toBe(
      "7c15864464aafb250f58df8c53fb8e3588ad334ae4763999d69236a80273209f",
    );
    expect(blocks).toHaveLength(14_132);
    expect(blocks.reduce((sum, block) => sum + block.transactions.length, 0)).toBe(14_247);
  });

  test("link from the genesis block to the tip, each with its proof of work", () => {
    let previous: Uint8Array | undefined;
    for (const { header } of blocks) {
      const isLinked =
        previous === undefined ? isZeroHash(header.previousHash) : equalBytes(header.previousHash, previous);
      if (!isLinked || !meetsProofOfWork(header, mainnet)) throw new Error(`Bad header ${displayHash(header.hash)}`);
      previous = header.hash;
    }
    expect(displayHash(blocks[0]?.header.hash ?? new Uint8Array())).toBe(mainnet.genesisHash);
    expect(displayHash(previous ?? new Uint8Array())).toBe(
      "00000000b3e750f37fdb42e1018799a9f44b546d393b130b369590a072430a1c",
    );
  });

  test("have the merkle roots that their headers name", () => {
    for (const block of blocks) {
      const { root, mutated } = merkleTree(transactionIdsOf(block));
      if (mutated || !equalBytes(root, block.header.merkleRoot)) throw new Error(displayHash(block.header.hash));
    }
  });

  test("become the same bytes again", () => {
    for (const block of blocks) {
      if (!equalBytes(serializeBlock(block), block.bytes)) throw new Error(displayHash(block.header.hash));
    }
  });

  test("hold the first payment between two people in block 170", () => {
    const payment = blocks[170]?.transactions[1];
    expect(payment && displayHash(payment.txid)).toBe(
      "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16",
    );
    expect(payment?.outputs.map((output) => output.value)).toEqual([1_000_000_000n, 4_000_000_000n]);
    expect(payment?.isCoinbase).toBe(false);
    expect(blocks[170]?.transactions[0]?.isCoinbase).toBe(true);
  });

  test("took the work that a chain of the lowest difficulty takes", () => {
    expect(blocks.reduce((sum, block) => sum + workOfBits(block.header.bits), 0n)).toBe(14_132n * 0x100010001n);
  });
});

describe.each([
  {
    hash: "00000000000000000021868c2cefc52a480d173c849412fe81c4e5ab806f94ab",
    count: 230,
    size: 2_259_447,
    weight: 3_993_333,
  },
  {
    hash: "0000000000000000001602407ac49862a7bca9d00f7f402db20b7be2f5de59d2",
    count: 3_315,
    size: 1_245_250,
    weight: 3_993_106,
  },
])("segwit block $hash", ({ hash, count, size, weight }) => {
  let block: Block;

  beforeAll(() => {
    block = parseBlock(readFixture(`test/fixtures/bitcoin/block-${hash}.bin.zst`));
  });

  test("has the known hash, sizes and number of transactions", () => {
    expect(displayHash(block.header.hash)).toBe(hash);
    expect(block).toMatchObject({ size, weight });
    expect(block.transactions).toHaveLength(count);
    expect(meetsProofOfWork(block.header, networks.mainnet)).toBe(true);
  });

  test("adds up to its merkle root and its witness commitment", () => {
    expect(merkleTree(transactionIdsOf(block))).toEqual({ root: block.header.merkleRoot, mutated: false });
    expect(hasValidWitnessCommitment(block)).toBe(true);
  });

  test("does not keep its witness commitment when a witness is altered", () => {
    const bytes = Uint8Array.from(block.bytes);
    const victim = block.transactions.findLast((transaction) => transaction.hasWitness);
    const item = victim?.inputs.flatMap((input) => input.witness).find((bytes) => bytes.length > 0);
    const position = (item?.byteOffset ?? 0) - block.bytes.byteOffset;
    bytes[position] = (bytes[position] ?? 0) ^ 1;
    const altered = parseBlock(bytes);
    expect(merkleTree(transactionIdsOf(altered)).root).toEqual(block.header.merkleRoot);
    expect(hasValidWitnessCommitment(altered)).toBe(false);
  });

  test("becomes the same bytes again", () => {
    expect(equalBytes(serializeBlock(block), block.bytes)).toBe(true);
  });

  test("holds transactions that stand for themselves", () => {
    for (const transaction of block.transactions) {
      const alone = parseTransaction(transaction.bytes);
      if (!equalBytes(alone.wtxid, transaction.wtxid)) throw new Error(displayHash(transaction.txid));
    }
    expect(block.transactions.some((transaction) => transaction.hasWitness)).toBe(true);
  });

  test("is a view: no byte string of it is a copy", () => {
    for (const transaction of block.transactions) {
      expect(transaction.bytes.buffer).toBe(block.bytes.buffer);
      for (const output of transaction.outputs) expect(output.scriptPubKey.buffer).toBe(block.bytes.buffer);
    }
  });

  test("proves each of some transactions by branch and by merkle block", () => {
    const ids = transactionIdsOf(block);
    const positions = [0, 1, 7, ids.length - 2, ids.length - 1];
    for (const position of positions) {
      const leaf = ids[position] ?? new Uint8Array();
      expect(merkleRootOfBranch(leaf, merkleBranch(ids, position), position)).toEqual(block.header.merkleRoot);
    }
    const made = createMerkleBlock(block.header, ids, new Set(positions));
    const proof = extractMerkleProof(parseMerkleBlock(serializeMerkleBlock(made)));
    expect(proof?.root).toEqual(block.header.merkleRoot);
    expect(proof?.matches).toEqual(positions.map((position) => ({ txid: ids[position], position })));
  });
});
