import {
  type BlockHeaderContent,
  concatBytes,
  doubleSha256,
  fromHex,
  merkleRoot,
  networks,
  parseBlockHeader,
  parseTransaction,
  serializeBlock,
  serializeBlockHeader,
  serializeTransaction,
  type TransactionContent,
} from "@nodewright/bitcoin-primitives";
import { HeaderWork } from "../chain/header-work.ts";

/** Content of a mined block. */
export interface RegtestBlockContent {
  /** Hash in wire order. */
  readonly previousHash: Uint8Array;
  readonly height: number;
  /** Time in seconds since 1970. */
  readonly time: number;
  /** Script that the coinbase pays to. */
  readonly scriptPubKey: Uint8Array;
  /** Salt that makes blocks of the same height different. */
  readonly salt?: number | undefined;
  /** Transactions after the coinbase. */
  readonly transactions?: readonly TransactionContent[] | undefined;
}

/** Easiest target of regtest: every second hash meets it. */
const regtestBits = 0x207fffff;

const subsidy = 5_000_000_000n;

/** Mines a serialized block that regtest accepts. The same content gives the same block. */
export function mineRegtestBlock(content: RegtestBlockContent): Uint8Array {
  const others = content.transactions ?? [];
  const transactions = [coinbaseOf(content, others.some(hasWitness) ? commitmentTo(others) : undefined), ...others];
  const header = {
    version: 0x20000000,
    previousHash: content.previousHash,
    merkleRoot: merkleRoot(transactions.map(txidOf)),
    time: content.time,
    bits: regtestBits,
  };
  return serializeBlock({ header: mine(header), transactions });
}

/** Returns the serialized genesis block of regtest. */
export function regtestGenesisBlock(): Uint8Array {
  const headline = "The Times 03/Jan/2009 Chancellor on brink of second bailout for banks";
  const key =
    "04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f";
  const coinbase: TransactionContent = {
    version: 1,
    inputs: [
      {
        previousOutput: noOutput,
        scriptSig: concatBytes(bytesOf("04ffff001d010445"), Buffer.from(headline, "ascii")),
        sequence: 0xffffffff,
        witness: [],
      },
    ],
    outputs: [{ value: subsidy, scriptPubKey: bytesOf(`41${key}ac`) }],
    locktime: 0,
  };
  const header = {
    version: 1,
    previousHash: new Uint8Array(32),
    merkleRoot: txidOf(coinbase),
    time: 1_296_688_602,
    bits: regtestBits,
    nonce: 2,
  };
  return serializeBlock({ header, transactions: [coinbase] });
}

const noOutput = { txid: new Uint8Array(32), vout: 0xffffffff };

function coinbaseOf(
  { height, salt, scriptPubKey }: RegtestBlockContent,
  commitment: Uint8Array | undefined,
): TransactionContent {
  const outputs = [{ value: subsidy, scriptPubKey }];
  return {
    version: 2,
    inputs: [
      {
        previousOutput: noOutput,
        scriptSig: heightAndSalt(height, salt ?? 0),
        sequence: 0xffffffff,
        witness: commitment === undefined ? [] : [new Uint8Array(32)],
      },
    ],
    outputs: commitment === undefined ? outputs : [...outputs, { value: 0n, scriptPubKey: commitment }],
    locktime: 0,
  };
}

/**
 * Returns the scriptSig data. BIP 34: the height comes first. The salt fills the rest of ten bytes, so that blocks of all heights have one
 * size.
 */
function heightAndSalt(height: number, salt: number): Uint8Array {
  const script = Buffer.alloc(10);
  const push = pushHeight(height);
  script.set(push);
  const saltOffset = push.length + 1;
  script.writeUInt8(script.length - saltOffset, push.length);
  script.writeUInt32LE(salt, saltOffset);
  return script;
}

/** Pushes the height in the shortest form, as nodes require. */
function pushHeight(height: number): Uint8Array {
  if (height <= 16) return Uint8Array.of(height === 0 ? opcodeZero : opcodeOne + height - 1);
  const bytes: number[] = [];
  for (let rest = height; rest > 0; rest >>= 8) bytes.push(rest & 0xff);
  // The highest bit is the sign.
  if ((bytes.at(-1) ?? 0) >= 0x80) bytes.push(0);
  return Uint8Array.of(bytes.length, ...bytes);
}

const opcodeZero = 0x00;
const opcodeOne = 0x51;

/** Returns the witness commitment (BIP 141). */
function commitmentTo(transactions: readonly TransactionContent[]): Uint8Array {
  const wtxids = transactions.map((transaction) => doubleSha256(serializeTransaction(transaction)));
  const root = merkleRoot([new Uint8Array(32), ...wtxids]);
  return concatBytes(bytesOf("6a24aa21a9ed"), doubleSha256(concatBytes(root, new Uint8Array(32))));
}

function hasWitness({ inputs }: TransactionContent): boolean {
  return inputs.some(({ witness }) => witness.length > 0);
}

function mine(header: Omit<BlockHeaderContent, "nonce">): BlockHeaderContent {
  const headerWork = new HeaderWork(networks.regtest);
  for (let nonce = 0; ; nonce += 1) {
    const candidate = { ...header, nonce };
    if (headerWork.isProven(parseBlockHeader(serializeBlockHeader(candidate)))) return candidate;
  }
}

function txidOf(transaction: TransactionContent): Uint8Array {
  return parseTransaction(serializeTransaction(transaction)).txid;
}

function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes === undefined) throw new Error("Not hex");
  return bytes;
}
