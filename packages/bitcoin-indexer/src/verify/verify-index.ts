import { existsSync, mkdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Network, networks } from "@nodewright/bitcoin-primitives";
import { IndexerError, isIndexerError } from "../basics/indexer-error.ts";
import { EmbeddedQueries } from "../query/embedded-queries.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { BlockFileReader } from "../store/block-files.ts";
import { type DataDirectory, dataDirectory, describeDirectory, hasIndex } from "../store/data-directory.ts";
import { lockDirectory } from "../store/directory-lock.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { Environment } from "../store/environment.ts";
import { bestChainTables, sourceFiles, tips } from "../store/layout.ts";
import { compareRows, InvalidRowReporter } from "./compare-rows.ts";
import { createIndexedChainSource, type IndexedChain } from "./indexed-chain-source.ts";
import { openPinnedTables, type PinnedTables } from "./pinned-tables.ts";
import { damageOf, type VerifiedBlock, verifyBlocks, verifyStaleBlocks } from "./verify-blocks.ts";
import {
  openOptionalVerifications,
  type OptionalVerifications,
  type VerifiedOptionalIndex,
} from "./verify-optional.ts";
import { VerifyRun, type VerifyRunOptions } from "./verify-run.ts";

/** Options of a verification of the complete index. */
export interface VerifyOptions extends VerifyRunOptions {
  /** Directory in which the tables are rebuilt, to compare them: as much space as they take. Default: a directory in the data directory. */
  readonly scratchDirectory?: string | undefined;
}

/** Result of a verification. */
export interface VerifyResult {
  /** Height of the verified tip. */
  readonly height: number;
  /** Number of reported damaged places, including those of the optional indexes. */
  readonly damaged: number;
  /** Whether the rows were compared with those derived from the blocks: they can't be while a block or the pages are damaged. */
  readonly areRowsCompared: boolean;
  /** Optional indexes in the data directory. */
  readonly optional: readonly VerifiedOptionalIndex[];
}

/**
 * Verifies the index in a data directory, at its current tip: the pages of its tables, each block of its files, and each row, which is
 * compared with the one derived from the blocks; then each optional index, whose rows are compared with those derived from the verified
 * index.
 *
 * Other processes may read and write the index meanwhile; replaced pages are kept in the files until the end. The mempool is not checked.
 * Throws `IndexerError` when it can't be done: there is no index, it has another layout, or there is no space.
 */
export async function verifyIndex(path: string, options: VerifyOptions = {}): Promise<VerifyResult> {
  const directory = dataDirectory(path);
  const description = describeDirectory(directory);
  const network = Object.values(networks).find(({ name }) => name === description?.network);
  if (description === undefined || network === undefined || !hasIndex(directory, network.name)) {
    throw new IndexerError(
      "directory-unusable",
      `There is no complete index in ${path}: name a directory with a complete index.`,
    );
  }
  return await new Verification(directory, network, description.addressSearch, options).run();
}

class Verification {
  readonly #directory: DataDirectory;
  readonly #network: Network;
  readonly #addressSearch: boolean;
  readonly #options: VerifyOptions;
  readonly #run: VerifyRun;

  constructor(directory: DataDirectory, network: Network, addressSearch: boolean, options: VerifyOptions) {
    this.#directory = directory;
    this.#network = network;
    this.#addressSearch = addressSearch;
    this.#options = options;
    this.#run = new VerifyRun(options);
  }

  async run(): Promise<VerifyResult> {
    // Opened before the main index, which so has every block of their rows.
    const optional = await openOptionalVerifications(this.#directory.path, this.#options);
    try {
      const verified = await this.#verifyMain(optional);
      const results = optional.map((each) => each.result());
      const damaged = results.reduce((sum, each) => sum + each.damaged, this.#run.damaged);
      return { ...verified, damaged, optional: results };
    } finally {
      for (const each of optional) await each.close();
    }
  }

  /**
   * Verifies the main index. The rows of optional indexes are derived from those of the main one, so they are compared only where these are
   * intact.
   */
  async #verifyMain(optional: OptionalVerifications): Promise<Pick<VerifyResult, "height" | "areRowsCompared">> {
    const tables = await openPinnedTables(this.#run, this.#directory.index);
    if (tables === undefined) return { height: -1, areRowsCompared: false };
    const { environment } = tables;
    const files = new BlockFileReader(this.#directory, (file) => environment.get(sourceFiles, file));
    try {
      const tip = environment.get(tips);
      if (tip === undefined) throw environment.damaged("there is no tip row");
      const { height } = tip;
      const chain = { network: this.#network, directory: this.#directory, reads: environment, files, height };
      const areRowsCompared = await this.#verifyContent(tables, chain);
      if (this.#run.damaged === 0) {
        const index = { environment, files, keepsAddresses: this.#addressSearch, directory: this.#directory };
        const queries = new EmbeddedQueries(this.#network, () => index);
        for (const each of optional) await each.compare(queries, height);
      }
      return { height, areRowsCompared };
    } finally {
      files.close();
      await tables.close();
    }
  }

  /** Returns whether the rows were compared. */
  async #verifyContent(tables: PinnedTables, chain: IndexedChain): Promise<boolean> {
    const masks = new Map<string, Uint8Array>();
    await this.#verifyEach(verifyBlocks(chain), chain.height + 1, masks);
    await this.#verifyEach(verifyStaleBlocks(chain), chain.height + 1, new Map());
    if (this.#run.damaged > 0) return false;
    const [mask] = masks.size === 1 ? masks.values() : [];
    await this.#verifyRows(tables, { ...chain, mask });
    return true;
  }

  async #verifyEach(
    verified: Generator<VerifiedBlock, void>,
    total: number,
    masks: Map<string, Uint8Array>,
  ): Promise<void> {
    let done = 0;
    for (const { damage, mask } of verified) {
      done += 1;
      if (damage !== undefined) this.#run.report(damage);
      if (mask !== undefined) masks.set(Buffer.from(mask).toString("hex"), mask);
      await this.#run.takeTurn({ phase: "blocks", done: Math.min(done, total), total });
    }
  }

  /** Rebuilds the tables from the blocks, which are intact, and compares them. */
  async #verifyRows(mine: PinnedTables, chain: IndexedChain): Promise<void> {
    const scratch = this.#options.scratchDirectory ?? join(this.#directory.path, "verify");
    // The default directory is only ours: if it exists already, it belongs to a killed verification.
    const isMade = this.#options.scratchDirectory === undefined || !existsSync(scratch);
    this.#prepareScratch(scratch);
    const lock = await lockDirectory(scratch);
    const tables = join(scratch, "tables");
    try {
      // Left by a killed verification.
      rmSync(tables, { recursive: true, force: true });
      await this.#rebuild(tables, mine, chain);
    } finally {
      rmSync(tables, { recursive: true, force: true });
      lock.release();
      if (isMade) rmSync(scratch, { recursive: true, force: true });
    }
  }

  async #rebuild(path: string, mine: PinnedTables, chain: IndexedChain): Promise<void> {
    const options = { addressSearch: this.#addressSearch, blocksInPlace: true };
    const store = await openEmbeddedStore(path, this.#network, options);
    try {
      const total = chain.height + 1;
      await runIndexer({
        store,
        source: createIndexedChainSource(chain),
        signal: this.#run.signal,
        onEvent: ({ height }) => this.#run.reportProgress({ phase: "rebuild", done: height + 1, total }),
      });
      this.#run.signal.throwIfAborted();
      const expected = new Environment(dataDirectory(path).index, "read");
      try {
        await this.#compare(mine, expected);
      } finally {
        await expected.close();
      }
    } catch (reason) {
      // A failure to join the blocks is damage, even if of rows with their positions.
      if (isIndexerError(reason) && reason.place !== undefined) this.#run.report(damageOf(reason));
      else throw reason;
    } finally {
      await store.close();
    }
  }

  async #compare({ environment, file }: PinnedTables, expected: Environment): Promise<void> {
    const total = bestChainTables.reduce((sum, table) => sum + expected.count(table), 0);
    let done = 0;
    for (const table of bestChainTables) {
      const invalidRows = new InvalidRowReporter(this.#run, { file, table: table.name });
      for (const row of compareRows(environment.everyRow(table), expected.everyRow(table))) {
        done += 1;
        if (row !== undefined) invalidRows.add(row);
        await this.#run.takeTurn({ phase: "rows", done: Math.min(done, total), total });
      }
      invalidRows.finish();
    }
    const [mine, other] = [environment.get(tips), expected.get(tips)];
    if (mine?.nextTransactionNumber === other?.nextTransactionNumber) return;
    this.#run.report({
      kind: "row",
      file,
      table: tips.name,
      reason: "the number of transactions is another",
    });
  }

  /** Prepares the directory. Throws `IndexerError` where there is no space for the tables. */
  #prepareScratch(scratch: string): void {
    const needed = statSync(join(this.#directory.index, "data.mdb")).size;
    let problem: string;
    try {
      mkdirSync(scratch, { recursive: true });
      const { bavail, bsize } = statfsSync(scratch);
      if (bavail * bsize >= needed) return;
      problem = `has ${bavail * bsize}`;
    } catch {
      problem = "can't be written";
    }
    throw new IndexerError(
      "directory-unusable",
      `The rows can't be compared: that takes ${needed} bytes in ${scratch}, which ${problem}. Name another directory.`,
    );
  }
}
