import type { Keys } from "./keys.ts";
import { createLock, type Lock } from "./lock.ts";
import { Random, WeightedChoice } from "./random.ts";
import { everyScriptKind, hotScriptKinds, type ScriptKind, scriptKinds } from "./script-kind.ts";

export interface ScriptBookOptions {
  readonly seed: number;
  /** Number of scripts; no fewer than the hot ones and one of each kind. */
  readonly scripts: number;
  readonly hotScripts: number;
  readonly keys: Keys;
}

const kindsByWeight = new WeightedChoice(everyScriptKind.map((kind) => [kind, scriptKinds[kind].weight] as const));

/**
 * Scripts that a chain pays to, by number: first the hot ones, the hottest first, then one of each kind, then the rest.
 *
 * A lock is created on first use; it depends only on the seed and its number.
 */
export class ScriptBook {
  readonly size: number;
  readonly hotScripts: number;
  readonly #seed: number;
  readonly #keys: Keys;
  readonly #locks: (Lock | undefined)[] = [];

  constructor({ seed, scripts, hotScripts, keys }: ScriptBookOptions) {
    this.size = Math.max(scripts, hotScripts + everyScriptKind.length);
    this.hotScripts = hotScripts;
    this.#seed = seed;
    this.#keys = keys;
  }

  lock(number: number): Lock {
    const known = this.#locks[number];
    if (known !== undefined) return known;
    const lock = createLock(this.#kindOf(number), number, this.#seed, this.#keys);
    this.#locks[number] = lock;
    return lock;
  }

  /** Numbers of the one script of each kind. */
  get firstOfKinds(): readonly number[] {
    return everyScriptKind.map((_, index) => this.hotScripts + index);
  }

  /** Returns the number of the one script that a kind without weight has. */
  numberOfKind(kind: ScriptKind): number {
    return this.hotScripts + everyScriptKind.indexOf(kind);
  }

  #kindOf(number: number): ScriptKind {
    const kind =
      number < this.hotScripts
        ? hotScriptKinds[number % hotScriptKinds.length]
        : everyScriptKind[number - this.hotScripts];
    return kind ?? kindsByWeight.pick(new Random(`kind/${this.#seed}/${number}`));
  }
}
