import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MempoolEnvironment } from "../mempool/mempool-directory.ts";
import { maximumWalkedHistory, mempoolHistories, mempoolScriptStatistics } from "./mempool-layout.ts";
import { readScriptStatistics, type ScriptEffect, ScriptSums } from "./script-sums.ts";

let directory: string;
let tables: MempoolEnvironment;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-sums-"));
  tables = new MempoolEnvironment(directory);
});

afterEach(async () => {
  await tables.close();
  rmSync(directory, { recursive: true });
});

/** A script with its unconfirmed transactions, the tables' statistics of it, and plain ones. */
class Script {
  readonly #hash: Uint8Array;
  readonly #sums: ScriptSums;
  readonly #effects = new Map<number, ScriptEffect>();
  #next = 0;

  constructor(hash: Uint8Array, sums: ScriptSums) {
    this.#hash = hash;
    this.#sums = sums;
  }

  get count(): number {
    return this.#effects.size;
  }

  /** Adds that many transactions, or removes the oldest ones, in one batch. */
  change(count: number): void {
    tables.environment.write(() => {
      for (let added = 0; added < count; added += 1) this.#add();
      for (const number of [...this.#effects.keys()].slice(0, Math.max(0, -count))) this.#remove(number);
      this.#sums.write(tables.environment);
    });
  }

  #add(): void {
    const number = this.#next;
    this.#next += 1;
    const value = BigInt(1_000 + number);
    const effect: ScriptEffect = {
      scriptHash: this.#hash,
      scriptHashText: Buffer.from(this.#hash).toString("latin1"),
      funded: [{ vout: 0, value }, ...(number % 3 === 0 ? [{ vout: 1, value: 5n }] : [])],
      spent: number % 2 === 0 ? [{ vin: 0, value: value + 7n }] : [],
    };
    this.#effects.set(number, effect);
    tables.environment.put(mempoolHistories, [this.#hash, number], effect);
    this.#sums.add(effect, 1);
  }

  #remove(number: number): void {
    const effect = this.#effects.get(number) ?? expect.unreachable();
    this.#effects.delete(number);
    tables.environment.remove(mempoolHistories, this.#hash, number);
    this.#sums.add(effect, -1);
  }

  expectRight(): void {
    const effects = [...this.#effects.values()];
    const [funded, spent] = [effects.flatMap((effect) => effect.funded), effects.flatMap((effect) => effect.spent)];
    const total = (values: readonly { readonly value: bigint }[]) => values.reduce((sum, { value }) => sum + value, 0n);
    expect(readScriptStatistics(tables.environment, this.#hash)).toEqual({
      transactions: effects.length,
      fundedOutputs: funded.length,
      fundedValue: total(funded),
      spentOutputs: spent.length,
      spentValue: total(spent),
    });
    // An outdated row would be trusted.
    const isBusy = tables.environment.get(mempoolScriptStatistics, this.#hash) !== undefined;
    expect(isBusy).toBe(this.count > maximumWalkedHistory);
  }
}

describe("sums of a script's unconfirmed transactions", () => {
  it("have no row any more once the script is not busy, and stay right afterwards", () => {
    const script = new Script(new Uint8Array(16).fill(3), new ScriptSums());
    for (const count of [maximumWalkedHistory, 1, -1, -1, 1, 1, -30, 7, -41]) {
      script.change(count);
      script.expectRight();
    }
  });

  it("are right after any batches, also of scripts that share a counter", () => {
    const near = maximumWalkedHistory;
    let runs = 0;
    const step = fc.tuple(fc.boolean(), fc.constantFrom(-near - 1, -near, -2, -1, 1, 2, near - 1, near, near + 1));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const sums = new ScriptSums();
        runs += 1;
        // The counter is of the first bytes.
        const scripts = [1, 2].map((last) => {
          const hash = Buffer.alloc(16, 9);
          hash.writeUInt32BE(runs, 8);
          hash[15] = last;
          return new Script(hash, sums);
        });
        for (const [isFirst, count] of steps) {
          scripts[isFirst ? 0 : 1]?.change(count);
          for (const script of scripts) script.expectRight();
        }
        for (const script of scripts) script.change(-script.count);
      }),
      { numRuns: 60 },
    );
  });
});
