import {
  ByteWriter,
  type BlockHashBytes,
  blockHeaderLength,
  concatBytes,
  doubleSha256,
  equalBytes,
  fromHex,
  type HashBytes,
  merkleRoot,
  serializeBlockHeader,
  type TransactionOutput,
} from "@nodewright/bitcoin-primitives";
import { opcode, scriptNumberOf, scriptOf } from "./script-bytes.ts";
import { finishTransaction, type SignedTransaction } from "./signed-transaction.ts";

/** Parts of a block. */
export interface BlockParts {
  readonly previousHash: BlockHashBytes;
  readonly height: number;
  /** Time in seconds since 1970. */
  readonly time: number;
  /** Salt that distinguishes blocks of the same height, and their coinbases. */
  readonly salt: number;
  /** Outputs of the coinbase. */
  readonly coinbaseOutputs: readonly TransactionOutput[];
  /** Transactions after the coinbase. */
  readonly transactions: readonly SignedTransaction[];
}

export interface AssembledBlock {
  readonly bytes: Uint8Array;
  readonly hash: BlockHashBytes;
  readonly coinbase: SignedTransaction;
  /** ScriptPubKey of the coinbase's additional output: the witness commitment. */
  readonly commitment: Uint8Array | undefined;
}

/** Easiest target of regtest: every second hash meets it. */
const regtestBits = 0x207fffff;
/** Version bits (BIP 9), of which none is set. */
const blockVersion = 0x20000000;
/** OP_RETURN, a push of 36 bytes, four marker bytes (BIP 141). */
const commitmentHead: Uint8Array = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed);
const witnessReservedValue: Uint8Array = new Uint8Array(32);
const noOutput = { txid: new Uint8Array(32), vout: 0xffffffff };

/** Returns the subsidy of a block on regtest, in satoshi: it halves every 150 blocks. */
export function subsidyAt(height: number): bigint {
  return 5_000_000_000n >> BigInt(Math.min(Math.floor(height / 150), 63));
}

/** Creates the coinbase and mines the block. The same parts give the same block. */
export function assembleBlock(parts: BlockParts): AssembledBlock {
  const commitment = needsCommitment(parts) ? commitmentScript(parts.transactions) : undefined;
  const coinbase = coinbaseOf(parts, commitment);
  const transactions = [coinbase, ...parts.transactions];
  const header = mine({ ...parts, merkleRoot: merkleRoot(transactions.map(({ txid }) => txid)) });
  const length = transactions.reduce((sum, { bytes }) => sum + bytes.length, blockHeaderLength + 9);
  const writer = new ByteWriter(length);
  writer.writeBytes(header);
  writer.writeCompactSize(transactions.length);
  for (const { bytes } of transactions) writer.writeBytes(bytes);
  return { bytes: writer.finish(), hash: doubleSha256(header), coinbase, commitment };
}

/** Returns whether a block needs a commitment. One without witnesses does not; some miners write one nevertheless. */
function needsCommitment({ height, transactions }: BlockParts): boolean {
  return height % 2 === 0 || transactions.some(({ txid, wtxid }) => !equalBytes(txid, wtxid));
}

function coinbaseOf(
  { height, salt, coinbaseOutputs }: BlockParts,
  commitment: Uint8Array | undefined,
): SignedTransaction {
  return finishTransaction({
    version: 2,
    inputs: [
      {
        previousOutput: noOutput,
        // BIP 34: the height comes first, as scripts push numbers.
        scriptSig: scriptOf(scriptNumberOf(height), saltBytes(salt)),
        sequence: 0xffffffff,
        witness: commitment === undefined ? [] : [witnessReservedValue],
      },
    ],
    outputs: commitment === undefined ? coinbaseOutputs : [...coinbaseOutputs, { value: 0n, scriptPubKey: commitment }],
    locktime: 0,
  });
}

function saltBytes(salt: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(salt, 4);
  return bytes;
}

/** Returns the commitment (BIP 141): over the wtxids, that of the coinbase being zero, and the reserved value. */
function commitmentScript(transactions: readonly SignedTransaction[]): Uint8Array {
  const root = merkleRoot([new Uint8Array(32), ...transactions.map(({ wtxid }) => wtxid)]);
  return concatBytes(commitmentHead, doubleSha256(concatBytes(root, witnessReservedValue)));
}

interface HeaderParts {
  readonly previousHash: BlockHashBytes;
  readonly merkleRoot: HashBytes;
  readonly time: number;
}

function mine({ previousHash, merkleRoot: root, time }: HeaderParts): Uint8Array {
  const header = Buffer.from(
    serializeBlockHeader({ version: blockVersion, previousHash, merkleRoot: root, time, bits: regtestBits, nonce: 0 }),
  );
  // The target is 7fffff and 29 zero bytes: a hash meets it when its highest bit is not set, except for one in eight million.
  while (!meetsTarget(doubleSha256(header))) header.writeUInt32LE(header.readUInt32LE(76) + 1, 76);
  return header;
}

function meetsTarget(hash: HashBytes): boolean {
  const [high = 0xff, middle = 0xff, low = 0xff] = [hash[31], hash[30], hash[29]];
  return high < 0x7f || (high === 0x7f && (middle < 0xff || low < 0xff));
}

/** Returns the serialized genesis block of regtest. */
export function regtestGenesisBlock(): Uint8Array {
  const headline = "The Times 03/Jan/2009 Chancellor on brink of second bailout for banks";
  const key = bytesOf(
    "04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f",
  );
  const coinbase = finishTransaction({
    version: 1,
    inputs: [
      {
        previousOutput: noOutput,
        // Its number 4 is not pushed in the shortest form.
        scriptSig: concatBytes(bytesOf("04ffff001d0104"), scriptOf(Buffer.from(headline, "ascii"))),
        sequence: 0xffffffff,
        witness: [],
      },
    ],
    outputs: [{ value: subsidyAt(0), scriptPubKey: scriptOf(key, opcode.OP_CHECKSIG) }],
    locktime: 0,
  });
  const header = serializeBlockHeader({
    version: 1,
    previousHash: new Uint8Array(32),
    merkleRoot: coinbase.txid,
    time: 1_296_688_602,
    bits: regtestBits,
    nonce: 2,
  });
  return concatBytes(header, Uint8Array.of(1), coinbase.bytes);
}

function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes === undefined) throw new Error("Not hex");
  return bytes;
}
