import { type Random, WeightedChoice } from "./random.ts";
import type { ScriptBook } from "./script-book.ts";

/** Fraction of all outputs that pay to the hottest script. */
const hottestShare = 0.03;
/** Factor by which each next hot script gets less. */
const coolingFactor = 0.8;
/** Fraction of outputs to the scripts of kinds with only one script. */
const anchorShare = 0.002;
const emptyShare = 0.0005;

/** Choice of the scripts that outputs pay to: first one of each kind, then hot ones often and the others evenly. */
export class ScriptChoice {
  readonly #book: ScriptBook;
  readonly #hotShare: number;
  readonly #hot: WeightedChoice<number>;
  /** Scripts of each kind without a stored coin yet. */
  readonly #unkept: Set<number>;
  /** Scripts of each kind without an output yet. */
  readonly #unpaid: number[];

  constructor(book: ScriptBook) {
    this.#book = book;
    const shares = Array.from({ length: book.hotScripts }, (_, number) => hottestShare * coolingFactor ** number);
    this.#hotShare = shares.reduce((sum, share) => sum + share, 0);
    this.#hot = new WeightedChoice(shares.map((share, number) => [number, share] as const));
    this.#unpaid = book.firstOfKinds.toReversed();
    this.#unkept = new Set(book.firstOfKinds);
  }

  choose(random: Random): number {
    return this.#unpaid.pop() ?? this.#chooseAny(random);
  }

  /** Returns a script whose coins are not lost: for coinbases, which would lose much. */
  chooseSpendable(random: Random): number {
    let script = this.#chooseAny(random);
    while (!this.#book.lock(script).isSpendable) script = this.#chooseAny(random);
    return script;
  }

  /** Returns true once for each kind, for its first coin: spend it before others. */
  isFirstOfKind(script: number): boolean {
    return this.#unkept.delete(script);
  }

  #chooseAny(random: Random): number {
    const point = random.fraction();
    if (point < this.#hotShare) return this.#hot.pick(random);
    if (point < this.#hotShare + anchorShare) return this.#book.numberOfKind("anchor");
    if (point < this.#hotShare + anchorShare + emptyShare) return this.#book.numberOfKind("empty");
    return random.between(this.#book.hotScripts, this.#book.size - 1);
  }
}
