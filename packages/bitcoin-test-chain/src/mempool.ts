import type { PlacedTransaction } from "./chain-state.ts";
import type { Coin, TransactionName } from "./coin.ts";
import type { Random } from "./random.ts";
import { RandomSet } from "./random-set.ts";

/** A transaction in a mempool. */
export interface MempoolEntry extends PlacedTransaction {
  /** Its spendable outputs. */
  readonly coins: readonly Coin[];
  /** Parents that are in the mempool too. */
  readonly parents: ReadonlySet<MempoolEntry>;
  readonly children: ReadonlySet<MempoolEntry>;
}

interface LinkedEntry extends MempoolEntry {
  readonly parents: Set<LinkedEntry>;
  readonly children: Set<LinkedEntry>;
}

/** Unconfirmed transactions with their spending relations. */
export class Mempool {
  /** Entries in the order of their arrival: parents before children. */
  readonly #entries = new Map<TransactionName, LinkedEntry>();
  readonly #set = new RandomSet<LinkedEntry>();

  /** Entries in the order of their arrival: parents before children. */
  get entries(): Iterable<MempoolEntry> {
    return this.#entries.values();
  }

  has(name: TransactionName): boolean {
    return this.#entries.has(name);
  }

  add(transaction: PlacedTransaction, coins: readonly Coin[]): MempoolEntry {
    const { plan, signed } = transaction;
    const entry: LinkedEntry = { plan, signed, coins, parents: this.#parentsOf(transaction), children: new Set() };
    for (const parent of entry.parents) parent.children.add(entry);
    this.#entries.set(plan.name, entry);
    this.#set.add(entry);
    return entry;
  }

  remove({ plan }: MempoolEntry): void {
    const entry = this.#entries.get(plan.name);
    if (entry === undefined) throw new Error("A transaction leaves a mempool that it is not in");
    this.#entries.delete(plan.name);
    this.#set.remove(entry);
    for (const parent of entry.parents) parent.children.delete(entry);
    for (const child of entry.children) child.parents.delete(entry);
  }

  pick(random: Random): MempoolEntry | undefined {
    return this.#set.pick(random);
  }

  /** Returns the entries that a transaction spends from, and theirs, up to the first ancestors. */
  ancestorsOf(plan: PlacedTransaction["plan"]): ReadonlySet<MempoolEntry> {
    return closure(this.#parentsOf({ plan }), ({ parents }) => parents);
  }

  /** Returns the entry itself and all entries that spend from it, directly or not. */
  withDescendants(entry: MempoolEntry): ReadonlySet<MempoolEntry> {
    return closure([entry], ({ children }) => children);
  }

  #parentsOf({ plan }: Pick<PlacedTransaction, "plan">): Set<LinkedEntry> {
    const parents = plan.inputs.map(({ coin }) => this.#entries.get(coin.origin));
    return new Set(parents.filter((entry) => entry !== undefined));
  }
}

function closure(
  start: Iterable<MempoolEntry>,
  next: (entry: MempoolEntry) => Iterable<MempoolEntry>,
): ReadonlySet<MempoolEntry> {
  const found = new Set(start);
  // Elements that are added during the iteration are visited as well.
  for (const entry of found) for (const other of next(entry)) found.add(other);
  return found;
}
