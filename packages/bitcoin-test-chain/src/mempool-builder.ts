import type { TransactionIdBytes } from "@nodewright/bitcoin-primitives";
import { BlockCapacity, type ChainState, type Tip } from "./chain-state.ts";
import type { Coin } from "./coin.ts";
import { BranchCoins } from "./coin-pool.ts";
import { Mempool, type MempoolEntry } from "./mempool.ts";
import { planReplacement } from "./replacement.ts";
import type { ScriptKind } from "./script-kind.ts";
import type { MempoolStep, MempoolTransaction } from "./test-chain.ts";
import { type PlanContext, planTransaction, replaceableSequence, type TransactionPlan } from "./transaction-plan.ts";

/** Kinds for which nodes relay no transaction, as an output or as a spent output. */
const unrelayedKinds: ReadonlySet<ScriptKind> = new Set([
  "non-standard-push",
  "non-standard-sum",
  "unknown-witness",
  "unspendable",
  "empty",
  "anchor",
]);
/** Fraction of the spent coins that are unconfirmed. */
const unconfirmedShare = 0.35;
/** Fraction of the steps that replace something, where possible. */
const replacementShare = 0.08;
/** Maximum chain length: nodes accept a chain of 25 transactions, counted up and down; some space is left. */
const maximumChainLength = 15;
/** Maximum number of replaced transactions: nodes evict 100 for one at most (BIP 125). */
const maximumReplaced = 20;
/** Number of entries examined for one that can be replaced. */
const attempts = 10;
/** Fraction of the mempool that a block confirms, of transactions without parents there and of the children of confirmed ones. */
const confirmedShare = 0.3;
const confirmedChildrenShare = 0.6;
/** Fraction of the rest with which a block conflicts. */
const conflictingShare = 0.05;
/** Number of transactions of a block that were never in the mempool. */
const unseenCount = 3;

/** Generator of a mempool above a chain: arrivals, replacements, blocks. */
export class MempoolBuilder {
  readonly #state: ChainState;
  readonly #mempool = new Mempool();
  readonly #coins: BranchCoins;
  #tip: Tip;

  constructor(state: ChainState, tip: Tip) {
    this.#state = state;
    this.#tip = tip;
    this.#coins = new BranchCoins(state.pool, unconfirmedShare);
  }

  /** Yields the steps, each created on demand. */
  async *fill(): AsyncGenerator<MempoolStep> {
    const { transactions, blocks } = this.#state.options.mempool;
    if (transactions === 0) return;
    this.#state.mature(this.#tip.height + 1);
    const between = Math.ceil(transactions / (blocks + 1));
    for (let count = 1; count <= transactions; count += 1) {
      const isReplacement = this.#state.random.chance(replacementShare);
      const step = (isReplacement ? await this.#replace() : undefined) ?? (await this.#arrive());
      if (step === undefined) return;
      yield step;
      // The last arrivals stay in the mempool.
      if (count % between === 0 && count < transactions) yield await this.#mine();
    }
  }

  async #arrive(): Promise<MempoolStep | undefined> {
    const plan = this.#planArrival();
    if (plan === undefined) return undefined;
    return { kind: "arrival", transaction: await this.#enter(plan) };
  }

  #planArrival(): TransactionPlan | undefined {
    const plan = planTransaction(this.#planning());
    if (plan === undefined || this.#isShortLine(plan)) return plan;
    for (const { coin } of plan.inputs) this.#coins.release(coin);
    return planTransaction({ ...this.#planning(), coins: this.#coins.ofChain });
  }

  #planning(): PlanContext {
    const { book, random, scripts } = this.#state;
    const isRelayed = (script: number) => !unrelayedKinds.has(book.lock(script).kind);
    return {
      ...this.#state.planning(this.#tip.height + 1),
      coins: this.#coins,
      mayTake: ({ script }) => isRelayed(script),
      chooseScript() {
        let script = scripts.choose(random);
        while (!isRelayed(script)) script = scripts.choose(random);
        return script;
      },
    };
  }

  #isShortLine(plan: TransactionPlan): boolean {
    const ancestors = this.#mempool.ancestorsOf(plan);
    if (ancestors.size >= maximumChainLength) return false;
    return [...ancestors].every((entry) => this.#mempool.withDescendants(entry).size < maximumChainLength);
  }

  /** Adds a planned transaction, whose coins are taken, to the mempool. */
  async #enter(plan: TransactionPlan): Promise<MempoolTransaction> {
    const [placed] = await this.#state.place([plan]);
    if (placed === undefined) throw new Error("A transaction was not signed");
    const coins = this.#state.coinsOf(plan, Number.POSITIVE_INFINITY);
    for (const coin of coins) this.#coins.add(coin);
    const { signed, parents } = this.#mempool.add(placed, coins);
    return {
      txid: signed.txid,
      bytes: signed.bytes,
      fee: plan.fee,
      parents: Array.from(parents, txidOf),
      isReplaceable: isReplaceable(plan),
    };
  }

  async #replace(): Promise<MempoolStep | undefined> {
    const { random, book } = this.#state;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const original = this.#mempool.pick(random);
      if (original === undefined || !isReplaceable(original.plan)) continue;
      const removed = this.#mempool.withDescendants(original);
      if (removed.size > maximumReplaced) continue;
      const plan = planReplacement(original, removed, book, random);
      if (plan === undefined) continue;
      this.#evict(removed);
      for (const { coin } of plan.inputs) this.#coins.claim(coin);
      return { kind: "replacement", transaction: await this.#enter(plan), replaced: Array.from(removed, txidOf) };
    }
    return undefined;
  }

  /** Removes transactions, and all of their descendants, from the mempool; their coins may be spent again. */
  #evict(entries: Iterable<MempoolEntry>): void {
    const evicted = [...entries];
    for (const entry of evicted) {
      this.#mempool.remove(entry);
      for (const coin of entry.coins) this.#coins.forget(coin);
    }
    for (const { coin } of evicted.flatMap(({ plan }) => plan.inputs)) {
      if (isConfirmed(coin) || this.#mempool.has(coin.origin)) this.#coins.release(coin);
    }
  }

  /** Mines a block of a part of the mempool, of transactions that conflict with another part, and of some unseen ones. */
  async #mine(): Promise<MempoolStep> {
    const state = this.#state;
    const height = this.#tip.height + 1;
    const room = new BlockCapacity();
    const confirmed = this.#chooseConfirmed(room);
    const { rivals, conflicted } = this.#planConflicts(confirmed, height);
    const plans = [...rivals, ...this.#planUnseen(height)];
    const placed = [...confirmed, ...(await state.place(plans))];
    const { block, tip } = state.mineBest(this.#tip, placed);

    this.#evict(conflicted);
    for (const entry of confirmed) this.#mempool.remove(entry);
    const spent = new Set(placed.flatMap(({ plan }) => plan.inputs.map(({ coin }) => coin)));
    for (const coin of spent) this.#coins.spendOnChain(coin);
    for (const coin of [...confirmed].flatMap(({ coins }) => coins)) {
      coin.height = height;
      if (!spent.has(coin)) this.#coins.moveToChain(coin);
    }
    for (const plan of plans) for (const coin of state.coinsOf(plan, height)) state.pool.add(coin);
    this.#tip = tip;
    state.mature(height + 1);
    return {
      kind: "block",
      block,
      confirmed: Array.from(confirmed, txidOf),
      conflicted: Array.from(conflicted, txidOf),
    };
  }

  /** Returns the confirmed transactions in a valid block order. */
  #chooseConfirmed(room: BlockCapacity): ReadonlySet<MempoolEntry> {
    const { random } = this.#state;
    const confirmed = new Set<MempoolEntry>();
    for (const entry of this.#mempool.entries) {
      const { parents, plan } = entry;
      const share = parents.size === 0 ? confirmedShare : confirmedChildrenShare;
      if (!room.isOpen || !random.chance(share) || !isSubset(parents, confirmed)) continue;
      confirmed.add(entry);
      room.add(plan);
    }
    return confirmed;
  }

  /**
   * Plans transactions that conflict with the mempool; returns the transactions that must leave the mempool for them, including
   * descendants.
   */
  #planConflicts(confirmed: ReadonlySet<MempoolEntry>, height: number) {
    const { random } = this.#state;
    const rivals: TransactionPlan[] = [];
    const conflicted = new Set<MempoolEntry>();
    for (const entry of this.#mempool.entries) {
      if (confirmed.has(entry) || conflicted.has(entry) || !random.chance(conflictingShare)) continue;
      const coin = entry.plan.inputs.find((input) => isConfirmed(input.coin))?.coin;
      const rival = coin === undefined ? undefined : this.#planRival(height, coin);
      if (rival === undefined) continue;
      rivals.push(rival);
      for (const each of this.#mempool.withDescendants(entry)) conflicted.add(each);
    }
    return { rivals, conflicted };
  }

  #planUnseen(height: number): readonly TransactionPlan[] {
    const plans = Array.from({ length: unseenCount }, () => planTransaction(this.#planningForBlock(height)));
    return plans.filter((plan) => plan !== undefined);
  }

  /** Plans a transaction that spends a confirmed coin which the mempool spends too. */
  #planRival(height: number, coin: Coin): TransactionPlan | undefined {
    const plan = planTransaction({ ...this.#planningForBlock(height), first: [coin] });
    // The coin was returned, and the mempool still spends it.
    if (plan === undefined) this.#coins.claim(coin);
    return plan;
  }

  /** Returns the context of transactions that appear only in a block: of any kind of script, with confirmed coins. */
  #planningForBlock(height: number): PlanContext {
    return { ...this.#state.planning(height), coins: this.#coins.ofChain };
  }
}

/** Returns whether a transaction is replaceable (BIP 125). */
function isReplaceable({ inputs }: TransactionPlan): boolean {
  return inputs.some(({ sequence }) => sequence <= replaceableSequence);
}

function isConfirmed({ height }: Coin): boolean {
  return Number.isFinite(height);
}

function isSubset(values: ReadonlySet<MempoolEntry>, others: ReadonlySet<MempoolEntry>): boolean {
  return [...values].every((value) => others.has(value));
}

function txidOf({ signed }: MempoolEntry): TransactionIdBytes {
  return signed.txid;
}
