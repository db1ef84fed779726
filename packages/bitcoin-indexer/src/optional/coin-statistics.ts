import {
  blockSubsidy,
  bogoSizeOf,
  displayHash,
  isUnspendable,
  MuHash,
  muHashLength,
  serializeCoin,
  wireHash,
} from "@nodewright/bitcoin-primitives";
import type { IndexedTransaction } from "../query/chain-queries.ts";
import { ByteReader, ByteWriter } from "../store/byte-codec.ts";
import type { IndexedBlock } from "./indexed-block.ts";
import type { OptionalIndexKind, OptionalRow } from "./optional-table.ts";

/**
 * Statistics of all coins after a block, and of its effect on them: amounts are satoshi.
 *
 * Coins are those of Bitcoin Core's definition: neither the genesis block's output, nor unspendable ones, nor the coinbases that others
 * with the same txid replaced (BIP 30).
 */
export interface CoinStatisticsRow extends OptionalRow {
  readonly coins: number;
  readonly bogoSize: number;
  readonly amount: bigint;
  /** Unspendable amount of all blocks so far, as in `block` of each. */
  readonly unspendable: bigint;
  /** State of the set's `MuHash`; 384 bytes. */
  readonly muHash: Uint8Array;
  readonly block: BlockAmounts;
}

/** Origins and destinations of a block's amounts. */
export interface BlockAmounts {
  readonly spent: bigint;
  readonly coinbase: bigint;
  /** Outputs of transactions other than the coinbase. */
  readonly created: bigint;
  /** Amounts that are permanently lost, by cause. */
  readonly genesisBlock: bigint;
  readonly repeatedCoinbase: bigint;
  readonly scripts: bigint;
  /** Amount that the coinbase could have claimed and did not. */
  readonly unclaimed: bigint;
}

/** Coinbases of mainnet that others with the same txid replaced before they were spent, by height (BIP 30). */
const replacedCoinbases: ReadonlyMap<number, string> = new Map([
  [91_722, "00000000000271a2dc26e7667f8419f2e15416dc6955e5a6c6cdf3f2574dd08e"],
  [91_812, "00000000000af0aed4792b1acee3d966af36cf5def14935db8de83d6f9306f2f"],
]);

const nothing: BlockAmounts = {
  spent: 0n,
  coinbase: 0n,
  created: 0n,
  genesisBlock: 0n,
  repeatedCoinbase: 0n,
  scripts: 0n,
  unclaimed: 0n,
};

const writer = new ByteWriter(1024);

/** Index of coin statistics. */
export const coinStatistics: OptionalIndexKind<CoinStatisticsRow> = {
  name: "coin-statistics",
  title: "coin statistics",
  layout: 1,
  async rowOf(block, below) {
    if (block.height === 0) return genesisRow(block);
    const change = new CoinChange(block, below);
    for await (const transactions of block.transactions()) {
      for (const transaction of transactions) change.apply(transaction);
    }
    return change.row();
  },
  encode({ hash, coins, bogoSize, amount, unspendable, muHash, block }) {
    writer.bytes(hash).varint(coins).varint(bogoSize).bigVarint(amount).bigVarint(unspendable).bytes(muHash);
    writer.bigVarint(block.spent).bigVarint(block.coinbase).bigVarint(block.created);
    writer.bigVarint(block.genesisBlock).bigVarint(block.repeatedCoinbase).bigVarint(block.scripts);
    return writer.bigVarint(block.unclaimed).take();
  },
  decode(bytes) {
    const reader = new ByteReader(bytes);
    return {
      hash: reader.bytes(32),
      coins: reader.varint(),
      bogoSize: reader.varint(),
      amount: reader.bigVarint(),
      unspendable: reader.bigVarint(),
      muHash: reader.bytes(muHashLength),
      block: {
        spent: reader.bigVarint(),
        coinbase: reader.bigVarint(),
        created: reader.bigVarint(),
        genesisBlock: reader.bigVarint(),
        repeatedCoinbase: reader.bigVarint(),
        scripts: reader.bigVarint(),
        unclaimed: reader.bigVarint(),
      },
    };
  },
};

/** Returns the row of the first block, whose output can't be spent, in Bitcoin Core as in the first client. */
function genesisRow({ hash, network }: IndexedBlock): CoinStatisticsRow {
  const lost = blockSubsidy(0, network);
  return {
    hash,
    coins: 0,
    bogoSize: 0,
    amount: 0n,
    unspendable: lost,
    muHash: new MuHash().value(),
    block: { ...nothing, genesisBlock: lost },
  };
}

/** Effect of one block on the coins below it. */
class CoinChange {
  readonly #block: IndexedBlock;
  readonly #unspendableBelow: bigint;
  readonly #isReplaced: boolean;
  readonly #muHash: MuHash;
  #coins: number;
  #bogoSize: number;
  #amount: bigint;
  #spent = 0n;
  #coinbase = 0n;
  #created = 0n;
  #repeatedCoinbase = 0n;
  #scripts = 0n;

  constructor(block: IndexedBlock, below: CoinStatisticsRow | undefined) {
    if (below === undefined) throw new Error(`There are no coin statistics below height ${block.height}`);
    this.#block = block;
    this.#isReplaced =
      block.network.name === "mainnet" && replacedCoinbases.get(block.height) === displayHash(block.hash);
    this.#muHash = new MuHash(below.muHash);
    this.#coins = below.coins;
    this.#bogoSize = below.bogoSize;
    this.#amount = below.amount;
    this.#unspendableBelow = below.unspendable;
  }

  apply(indexed: IndexedTransaction): void {
    if (indexed.transaction.isCoinbase && this.#isReplaced) this.#repeatedCoinbase += this.#subsidy();
    else this.#addOutputs(indexed);
    this.#takeInputs(indexed);
  }

  row(): CoinStatisticsRow {
    const block = this.#amounts();
    const { genesisBlock, repeatedCoinbase, scripts, unclaimed } = block;
    return {
      hash: this.#block.hash,
      coins: this.#coins,
      bogoSize: this.#bogoSize,
      amount: this.#amount,
      unspendable: this.#unspendableBelow + genesisBlock + repeatedCoinbase + scripts + unclaimed,
      muHash: this.#muHash.value(),
      block,
    };
  }

  #addOutputs({ txid, transaction: { outputs, isCoinbase } }: IndexedTransaction): void {
    const id = bytesOfId(txid);
    const { height } = this.#block;
    for (const [vout, { value, scriptPubKey }] of outputs.entries()) {
      if (isUnspendable(scriptPubKey)) {
        this.#scripts += value;
        continue;
      }
      this.#muHash.add(serializeCoin({ txid: id, vout, height, isCoinbase, value, scriptPubKey }));
      this.#coins += 1;
      this.#bogoSize += bogoSizeOf(scriptPubKey);
      this.#amount += value;
      if (isCoinbase) this.#coinbase += value;
      else this.#created += value;
    }
  }

  #takeInputs({ transaction: { inputs }, previousOutputs }: IndexedTransaction): void {
    for (const [vin, output] of previousOutputs.entries()) {
      const outpoint = inputs[vin]?.previousOutput;
      if (output === undefined || outpoint === undefined) continue;
      this.#muHash.remove(serializeCoin({ ...outpoint, ...output }));
      this.#coins -= 1;
      this.#bogoSize -= bogoSizeOf(output.scriptPubKey);
      this.#amount -= output.value;
      this.#spent += output.value;
    }
  }

  /**
   * Returns the amounts of the block. The difference between inputs and outputs was not claimed. An unvalidated chain may have claimed too
   * much.
   */
  #amounts(): BlockAmounts {
    const paid = this.#coinbase + this.#created + this.#repeatedCoinbase + this.#scripts;
    const left = this.#spent + this.#subsidy() - paid;
    return {
      spent: this.#spent,
      coinbase: this.#coinbase,
      created: this.#created,
      genesisBlock: 0n,
      repeatedCoinbase: this.#repeatedCoinbase,
      scripts: this.#scripts,
      unclaimed: left > 0n ? left : 0n,
    };
  }

  #subsidy(): bigint {
    return blockSubsidy(this.#block.height, this.#block.network);
  }
}

function bytesOfId(txid: string): Uint8Array {
  const bytes = wireHash(txid);
  if (bytes === undefined) throw new Error(`${txid} is not a txid`);
  return bytes;
}
