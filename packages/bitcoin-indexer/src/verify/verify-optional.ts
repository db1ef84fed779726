import { existsSync } from "node:fs";
import { isIndexerError } from "../basics/indexer-error.ts";
import { blockFilters } from "../optional/block-filters.ts";
import { coinStatistics } from "../optional/coin-statistics.ts";
import { hasOptionalIndex, type OptionalDirectory, optionalDirectory } from "../optional/optional-directory.ts";
import type { OptionalIndexName } from "../optional/optional-progress.ts";
import { type OptionalIndexKind, type OptionalRow, optionalTables } from "../optional/optional-table.ts";
import type { ChainQueries } from "../query/chain-queries.ts";
import { compareOptionalRows } from "./compare-optional-rows.ts";
import { InvalidRowReporter } from "./compare-rows.ts";
import { openPinnedTables, type PinnedTables } from "./pinned-tables.ts";
import { damageOf } from "./verify-blocks.ts";
import { VerifyRun, type VerifyRunOptions } from "./verify-run.ts";

/** Result for an optional index. */
export interface VerifiedOptionalIndex {
  readonly index: OptionalIndexName;
  /** Directory to delete in order to rebuild the index. */
  readonly directory: string;
  /** Height of the index's highest block; -1 while the index is empty. Below the main index's while it is unfinished. */
  readonly height: number;
  /**
   * Height up to which the rows were compared with those derived from the blocks; -1 where they were not, because the main index or a page
   * is damaged. Below `height` where the main index is being rebuilt.
   */
  readonly comparedHeight: number;
  /** Number of reported damaged places. */
  readonly damaged: number;
  /** Reason why the index could not be verified, in one sentence; absent where it could. */
  readonly problem?: string;
}

/** Verifications of the optional indexes in a data directory. */
export type OptionalVerifications = readonly Pick<OptionalVerification<never>, "compare" | "result" | "close">[];

/** Opens the optional indexes in a data directory, each in its current state, and checks the pages of their tables. */
export async function openOptionalVerifications(
  dataDirectory: string,
  options: VerifyRunOptions,
): Promise<OptionalVerifications> {
  const all = [
    new OptionalVerification(dataDirectory, blockFilters, options),
    new OptionalVerification(dataDirectory, coinStatistics, options),
  ];
  const held = all.filter(({ directory }) => existsSync(directory.path));
  try {
    for (const each of held) await each.open();
  } catch (reason) {
    for (const each of held) await each.close();
    throw reason;
  }
  return held;
}

class OptionalVerification<Row extends OptionalRow> {
  readonly directory: OptionalDirectory;
  readonly #kind: OptionalIndexKind<Row>;
  readonly #run: VerifyRun;
  #tables: PinnedTables | undefined;
  #height = -1;
  #comparedHeight = -1;
  #problem: string | undefined;

  constructor(dataDirectory: string, kind: OptionalIndexKind<Row>, options: VerifyRunOptions) {
    this.directory = optionalDirectory(dataDirectory, kind.name);
    this.#kind = kind;
    this.#run = new VerifyRun(options, kind.name);
  }

  async open(): Promise<void> {
    try {
      // Just created: there are no rows.
      if (!hasOptionalIndex(this.directory, this.#kind)) return;
    } catch (reason) {
      if (!isIndexerError(reason)) throw reason;
      this.#problem = reason.message;
      return;
    }
    const { all, tips } = optionalTables(this.#kind);
    const tables = await openPinnedTables(this.#run, this.directory.rows, { tables: all });
    this.#tables = tables;
    if (tables === undefined) return;
    await this.#reportingDamage(() => {
      const tip = tables.environment.get(tips);
      if (tip === undefined) throw tables.environment.damaged("there is no tip row");
      this.#height = tip;
    });
  }

  /** Compares the rows with those derived from the blocks of an intact main index. */
  async compare(chain: ChainQueries, mainHeight: number): Promise<void> {
    const tables = this.#tables;
    if (tables === undefined || this.#run.damaged > 0) return;
    await this.#reportingDamage(() => this.#compare(tables, chain, mainHeight));
  }

  result(): VerifiedOptionalIndex {
    return {
      index: this.#kind.name,
      directory: this.directory.path,
      height: this.#height,
      comparedHeight: this.#comparedHeight,
      damaged: this.#run.damaged,
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
  }

  async close(): Promise<void> {
    await this.#tables?.close();
  }

  async #compare({ environment, file }: PinnedTables, chain: ChainQueries, mainHeight: number): Promise<void> {
    const { best, stale } = optionalTables(this.#kind);
    const tip = this.#height;
    // Below the main index's tip it is found as a missing row.
    if (tip > mainHeight && !environment.has(best, tip)) throw environment.damaged(`there is no row at height ${tip}`);
    const total = Math.min(tip, mainHeight) + 1;
    const invalidRows = {
      best: new InvalidRowReporter(this.#run, { file, table: best.name }),
      stale: new InvalidRowReporter(this.#run, { file, table: stale.name }),
    };
    for await (const { table, height, difference } of compareOptionalRows({
      kind: this.#kind,
      environment,
      tip,
      chain,
    })) {
      if (difference !== undefined) invalidRows[table].add(difference);
      if (table === "best") this.#comparedHeight = height;
      await this.#run.takeTurn({ phase: "rows", done: Math.min(height + 1, total), total });
    }
    for (const each of Object.values(invalidRows)) each.finish();
  }

  /** Runs `action` and reports read failures as damage. */
  async #reportingDamage(action: () => Promise<void> | void): Promise<void> {
    try {
      await action();
    } catch (reason) {
      if (!isIndexerError(reason) || reason.place === undefined) throw reason;
      this.#run.report(damageOf(reason));
    }
  }
}
