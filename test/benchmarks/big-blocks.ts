import { createHash } from "node:crypto";
import { mineRegtestBlock, regtestGenesisBlock } from "@nodewright/bitcoin-indexer/testing";
import {
  parseBlock,
  parseBlockHeader,
  parseTransaction,
  serializeTransaction,
  type TransactionContent,
  type TransactionInput,
} from "@nodewright/bitcoin-primitives";

/** Of regtest, before each block of a block file. */
const magic = 0xdab5bffa;

export interface BigChain {
  readonly blocks: readonly Uint8Array[];
  /** Positions of the large ones. */
  readonly big: readonly number[];
}

/** An output to spend, and what its kind asks of who spends it. */
interface Coin {
  readonly txid: Uint8Array;
  readonly vout: number;
  readonly value: bigint;
  readonly kind: Kind;
}

interface Kind {
  /** Of a hundred outputs. */
  readonly share: number;
  script(noise: Noise): Uint8Array;
  spend(noise: Noise): Pick<TransactionInput, "scriptSig" | "witness">;
}

/** The same bytes in each run. */
class Noise {
  #count = 0;

  bytes(length: number): Buffer {
    const parts: Buffer[] = [];
    for (let done = 0; done < length; done += 32) {
      this.#count += 1;
      parts.push(createHash("sha256").update(String(this.#count)).digest());
    }
    return Buffer.concat(parts).subarray(0, length);
  }

  below(limit: number): number {
    return this.bytes(4).readUInt32LE() % limit;
  }
}

const noBytes = new Uint8Array();

function bytesOf(...parts: readonly (number | Uint8Array)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === "number" ? Uint8Array.of(part) : part)));
}

function pushOf(bytes: Uint8Array): Uint8Array {
  return bytes.length < 0x4c ? bytesOf(bytes.length, bytes) : bytesOf(0x4c, bytes.length, bytes);
}

/** In the form of DER; nobody has signed. */
function signatureOf(noise: Noise): Uint8Array {
  const [first, second] = [noise.bytes(32), noise.bytes(32)];
  first[0] = ((first[0] ?? 0) & 0x7f) | 1;
  second[0] = ((second[0] ?? 0) & 0x3f) | 1;
  return bytesOf(0x30, 0x44, 2, 32, first, 2, 32, second, 1);
}

function keyOf(noise: Noise): Uint8Array {
  return bytesOf(2, noise.bytes(32));
}

function witnessScriptOf(noise: Noise): Uint8Array {
  return bytesOf(0x52, pushOf(keyOf(noise)), pushOf(keyOf(noise)), pushOf(keyOf(noise)), 0x53, 0xae);
}

/** About what mainnet's blocks pay to. */
const kinds: readonly Kind[] = [
  {
    share: 20,
    script: (noise) => bytesOf(0x76, 0xa9, 20, noise.bytes(20), 0x88, 0xac),
    spend: (noise) => ({ scriptSig: bytesOf(pushOf(signatureOf(noise)), pushOf(keyOf(noise))), witness: [] }),
  },
  {
    share: 10,
    script: (noise) => bytesOf(0xa9, 20, noise.bytes(20), 0x87),
    spend: (noise) => ({
      scriptSig: pushOf(bytesOf(0, 20, noise.bytes(20))),
      witness: [signatureOf(noise), keyOf(noise)],
    }),
  },
  {
    share: 38,
    script: (noise) => bytesOf(0, 20, noise.bytes(20)),
    spend: (noise) => ({ scriptSig: noBytes, witness: [signatureOf(noise), keyOf(noise)] }),
  },
  {
    share: 6,
    script: (noise) => bytesOf(0, 32, noise.bytes(32)),
    spend: (noise) => ({
      scriptSig: noBytes,
      witness: [noBytes, signatureOf(noise), signatureOf(noise), witnessScriptOf(noise)],
    }),
  },
  {
    share: 26,
    script: (noise) => bytesOf(0x51, 32, noise.bytes(32)),
    spend: (noise) => ({ scriptSig: noBytes, witness: [noise.bytes(64)] }),
  },
];

function kindOf(noise: Noise): Kind {
  let rest = noise.below(100);
  for (const kind of kinds) {
    if (rest < kind.share) return kind;
    rest -= kind.share;
  }
  return kinds[0] ?? raise("There are no kinds of scripts");
}

function raise(message: string): never {
  throw new Error(message);
}

/** Anyone may spend it. */
const open: Kind = {
  share: 0,
  script: () => Uint8Array.of(0x51),
  spend: () => ({ scriptSig: noBytes, witness: [] }),
};

const fanOuts = 10;
const fee = 10_000n;

/**
 * A regtest chain with `count` large blocks of so many transactions, which spend one output or two and make two, of the kinds that
 * mainnet's blocks have. Nothing is signed.
 */
export function buildBigChain(count: number, transactions: number): BigChain {
  const noise = new Noise();
  const blocks = [regtestGenesisBlock()];
  const big: number[] = [];
  const add = (list: readonly TransactionContent[]): void => void blocks.push(blockOf(blocks, list));
  for (let built = 0; built < count; built += 1) {
    add([]);
    const [coinbase] = parseBlock(blocks.at(-1) ?? noBytes).transactions;
    const coin = { txid: coinbase?.txid ?? noBytes, vout: 0, value: coinbase?.outputs[0]?.value ?? 0n, kind: open };
    const fan = transactionOf(noise, [coin], new Array(fanOuts).fill(open));
    const each = Math.ceil((2 * transactions) / fanOuts);
    const outs = coinsOf(fan, new Array(fanOuts).fill(open)).map((one) => {
      const outputKinds = Array.from({ length: each }, () => kindOf(noise));
      const transaction = transactionOf(noise, [one], outputKinds);
      return { transaction, coins: coinsOf(transaction, outputKinds) };
    });
    add([fan, ...outs.map(({ transaction }) => transaction)]);
    const coins = outs.flatMap((out) => out.coins);
    add(
      Array.from({ length: transactions - 1 }, (_, position) =>
        // Every other one spends two.
        transactionOf(noise, coins.slice(2 * position, 2 * position + 1 + (position % 2)), [
          kindOf(noise),
          kindOf(noise),
        ]),
      ),
    );
    big.push(blocks.length - 1);
  }
  return { blocks, big };
}

function transactionOf(noise: Noise, coins: readonly Coin[], outputKinds: readonly Kind[]): TransactionContent {
  const value = coins.reduce((sum, coin) => sum + coin.value, 0n) - fee;
  return {
    version: 2,
    inputs: coins.map(({ txid, vout, kind }) => ({
      previousOutput: { txid, vout },
      sequence: 0xfffffffd,
      ...kind.spend(noise),
    })),
    outputs: outputKinds.map((kind) => ({
      value: value / BigInt(outputKinds.length),
      scriptPubKey: kind.script(noise),
    })),
    locktime: 0,
  };
}

function coinsOf(content: TransactionContent, outputKinds: readonly Kind[]): readonly Coin[] {
  const { txid, outputs } = parseTransaction(serializeTransaction(content));
  return outputs.map(({ value }, vout) => ({ txid, vout, value, kind: outputKinds[vout] ?? open }));
}

function blockOf(below: readonly Uint8Array[], transactions: readonly TransactionContent[]): Uint8Array {
  const parent = parseBlockHeader((below.at(-1) ?? noBytes).subarray(0, 80));
  return mineRegtestBlock({
    previousHash: parent.hash,
    height: below.length,
    time: parent.time + 600,
    scriptPubKey: Uint8Array.of(0x51),
    transactions,
  });
}

/** The blocks as one file of a node's. */
export function blockFileOf({ blocks }: BigChain): Buffer {
  return Buffer.concat(
    blocks.flatMap((block) => {
      const head = Buffer.alloc(8);
      head.writeUInt32LE(magic, 0);
      head.writeUInt32LE(block.length, 4);
      return [head, block];
    }),
  );
}
