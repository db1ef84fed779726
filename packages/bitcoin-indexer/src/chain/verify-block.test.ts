import {
  type Block,
  displayHash,
  networks,
  parseBlock,
  serializeBlock,
  serializeTransaction,
  merkleRoot,
  parseTransaction,
  parseBlockHeader,
  serializeBlockHeader,
  type TransactionContent,
} from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { RegtestChain } from "../testing/regtest-chain.ts";
import { HeaderWork } from "./header-work.ts";
import { verifyBlock } from "./verify-block.ts";

const headerWork = new HeaderWork(networks.regtest);
const script = Uint8Array.of(0x51);
const maximumMoney = 2_100_000_000_000_000n;

const chain = new RegtestChain();
const first = chain.extend(chain.genesis, script);
const payment = { coins: first.coins.slice(-1), outputs: [{ value: 1n, scriptPubKey: script }] };
const plain = parseBlock(chain.extend(first, script, [payment]).bytes);
const witnessed = parseBlock(chain.extend(first, script, [{ ...payment, witness: [Uint8Array.of(1, 2, 3)] }]).bytes);

/** Returns the block with other transactions and a header that commits to them, mined. */
function blockOf(transactions: readonly TransactionContent[], bits: number = plain.header.bits): Block {
  const txids = transactions.map((transaction) => parseTransaction(serializeTransaction(transaction)).txid);
  const content = { ...plain.header, merkleRoot: merkleRoot(txids), bits };
  for (let nonce = 0; ; nonce += 1) {
    const header = parseBlockHeader(serializeBlockHeader({ ...content, nonce }));
    if (headerWork.isProven(header) || bits === 0) return parseBlock(serializeBlock({ header, transactions }));
  }
}

function expectedOf(block: Block): { readonly hash: string; readonly previousHash: Uint8Array } {
  return { hash: displayHash(block.header.hash), previousHash: first.hash };
}

/** Returns the problem of a block; undefined if the block is valid. */
function problemOf(
  block: Block,
  expected = expectedOf(block),
): { readonly message: string; readonly offset: number } | undefined {
  try {
    verifyBlock(block, expected, headerWork);
    return undefined;
  } catch (reason) {
    expect(reason).toMatchObject({ name: "BadBlock" });
    const { message, offset } = reason as { readonly message: string; readonly offset: number };
    return { message, offset };
  }
}

/** Returns the coinbase of a block, and its other transaction. */
function twoOf({ transactions: [coinbase, other] }: Block): readonly [TransactionContent, TransactionContent] {
  return [coinbase ?? expect.unreachable(), other ?? expect.unreachable()];
}

const [coinbase, spending] = twoOf(plain);
const [witnessedCoinbase, witnessedSpending] = twoOf(witnessed);
const coinbaseOffset = 81;
const spendingOffset = coinbaseOffset + serializeTransaction(coinbase).length;

function paying(transaction: TransactionContent, ...values: readonly bigint[]): TransactionContent {
  return { ...transaction, outputs: values.map((value) => ({ value, scriptPubKey: script })) };
}

describe("verifyBlock", () => {
  it("passes valid blocks, with witnesses and without", () => {
    expect(problemOf(plain)).toBeUndefined();
    expect(problemOf(witnessed)).toBeUndefined();
    expect(problemOf(blockOf([coinbase]))).toBeUndefined();
  });

  it("rejects a block whose hash does not meet its target", () => {
    expect(problemOf(blockOf([coinbase], 0))).toEqual({
      message: "its hash does not meet the target of its header",
      offset: 72,
    });
  });

  it("rejects a block that is another or stands elsewhere", () => {
    expect(problemOf(plain, { ...expectedOf(plain), hash: displayHash(first.hash) })).toEqual({
      message: "it is another block than its header was",
      offset: 0,
    });
    expect(problemOf(plain, { ...expectedOf(plain), previousHash: chain.genesis.hash })).toEqual({
      message: "its previous block hash is not the hash of the block below",
      offset: 4,
    });
  });

  it("rejects a block above 4,000,000 weight units", () => {
    expect(problemOf({ ...plain, weight: 4_000_000 })).toBeUndefined();
    expect(problemOf({ ...plain, weight: 4_000_001 })).toEqual({
      message: "it is heavier than a block may be",
      offset: 0,
    });
  });

  it("rejects other transactions than those of the merkle root", () => {
    expect(problemOf({ ...plain, transactions: plain.transactions.slice(0, 1) })).toEqual({
      message: "its merkle root is not that of its transactions",
      offset: 36,
    });
    const repeated = [...plain.transactions, ...plain.transactions.slice(1)];
    const three = blockOf(repeated);
    expect(problemOf({ ...three, transactions: [...three.transactions, ...three.transactions.slice(-1)] })).toEqual({
      message: "its transactions are repeated",
      offset: 0,
    });
  });

  it("rejects a block without a coinbase or with two, and says where", () => {
    expect(problemOf(blockOf([spending, coinbase]))).toEqual({ message: "it has no coinbase", offset: coinbaseOffset });
    expect(problemOf(blockOf([coinbase, paying(coinbase, 7n), spending]))).toEqual({
      message: "it has a second coinbase",
      offset: spendingOffset,
    });
  });

  it.each([
    [[maximumMoney], true],
    [[maximumMoney - 1n, 1n], true],
    [[0n], true],
    [[maximumMoney + 1n], false],
    [[maximumMoney, 1n], false],
    [[-1n], false],
    [[5n, -1n], false],
  ])("outputs of %s are possible: %s", (values, isPossible) => {
    const impossible = "a transaction pays an impossible amount";
    expect(problemOf(blockOf([paying(coinbase, ...values), spending]))).toEqual(
      isPossible ? undefined : { message: impossible, offset: coinbaseOffset },
    );
    expect(problemOf(blockOf([coinbase, paying(spending, ...values)]))).toEqual(
      isPossible ? undefined : { message: impossible, offset: spendingOffset },
    );
  });

  it("rejects witnesses without a commitment to them", () => {
    expect(problemOf(blockOf([coinbase, witnessedSpending]))).toEqual({
      message: "it has witnesses without a commitment to them",
      offset: 0,
    });
  });

  it("rejects other witnesses than those of the commitment", () => {
    const [input] = witnessedSpending.inputs;
    const changed = {
      ...witnessedSpending,
      inputs: [{ ...(input ?? expect.unreachable()), witness: [Uint8Array.of(1, 2, 4)] }],
    };
    expect(problemOf(blockOf([witnessedCoinbase, changed]))).toEqual({
      message: "its witness commitment is not that of its witnesses",
      offset: 0,
    });
  });

  it.each([
    ["no reserved value", []],
    ["one of 31 bytes", [new Uint8Array(31)]],
    ["a second item", [new Uint8Array(32), new Uint8Array(32)]],
  ])("rejects a coinbase with %s", (_, witness) => {
    const [input] = witnessedCoinbase.inputs;
    const changed = { ...witnessedCoinbase, inputs: [{ ...(input ?? expect.unreachable()), witness }] };
    expect(problemOf(blockOf([changed, witnessedSpending]))).toEqual({
      message: "its coinbase lacks the reserved value of the witness commitment",
      offset: 0,
    });
  });
});
