import { existsSync, mkdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Network, networks } from "@nodewright/bitcoin-primitives";
import { IndexerError, isIndexerError } from "../indexer-error.ts";
import { runIndexer } from "../run-indexer.ts";
import { BlockFileReader } from "../store/block-files.ts";
import { type DataDirectory, dataDirectory, describeDirectory, holdsIndex } from "../store/data-directory.ts";
import { lockDirectory } from "../store/directory-lock.ts";
import { openEmbeddedStore } from "../store/embedded-store.ts";
import { Environment } from "../store/environment.ts";
import { bestChainTables, sourceFiles, tips } from "../store/layout.ts";
import { assertLmdbFile } from "../store/lmdb-file.ts";
import { assertSoundPages, LmdbPages } from "../store/lmdb-pages.ts";
import { compareTables } from "./compare-tables.ts";
import type { IndexDamage } from "./index-damage.ts";
import { createIndexedChainSource, type IndexedChain } from "./indexed-chain-source.ts";
import { damageOf, type VerifiedBlock, verifyBlocks, verifyStaleBlocks } from "./verify-blocks.ts";

/** How far a verification is. */
export interface VerifyProgress {
  /** `pages` of the tables, `blocks` of the block files, `rebuild` of the tables from the blocks, `rows` of both compared. */
  readonly phase: "pages" | "blocks" | "rebuild" | "rows";
  readonly done: number;
  readonly total: number;
}

export interface VerifyOptions {
  /** Where the tables are made anew, to compare them: as much room as they take. Default: a directory in the data directory. */
  readonly scratchDirectory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined;
  /** Told of each damaged place when it is found. */
  readonly onDamage?: ((damage: IndexDamage) => void) | undefined;
}

/** What was found. */
export interface VerifyResult {
  /** Of the tip that was verified. */
  readonly height: number;
  /** Damaged places that were reported. */
  readonly damaged: number;
  /** Whether the rows were compared with those that the blocks make: they can't be while a block or the pages are damaged. */
  readonly areRowsCompared: boolean;
}

/**
 * Verifies the index in a data directory, at its tip of now: the pages of its tables, each block of its files, and each row, which is
 * compared with what the blocks make.
 *
 * Others may read and write the index meanwhile; what they replace is kept in the file until the end. The mempool and the optional indexes
 * are not looked at. Throws `IndexerError` when it can't be done: there is no index, it has another layout, or there is no room.
 */
export async function verifyIndex(path: string, options: VerifyOptions = {}): Promise<VerifyResult> {
  const directory = dataDirectory(path);
  const description = describeDirectory(directory);
  const network = Object.values(networks).find(({ name }) => name === description?.network);
  if (description === undefined || network === undefined || !holdsIndex(directory, network.name)) {
    throw new IndexerError(
      "directory-unusable",
      `There is no complete index in ${path}: name a directory in which one was made.`,
    );
  }
  return await new Verification(directory, network, description.addressSearch, options).run();
}

/** Longest time without looking at signals and messages. */
const turnMilliseconds = 50;

class Verification {
  readonly #directory: DataDirectory;
  readonly #network: Network;
  readonly #addressSearch: boolean;
  readonly #options: VerifyOptions;
  readonly #signal: AbortSignal;
  #damaged = 0;
  #turnStarted = 0;

  constructor(directory: DataDirectory, network: Network, addressSearch: boolean, options: VerifyOptions) {
    this.#directory = directory;
    this.#network = network;
    this.#addressSearch = addressSearch;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
  }

  async run(): Promise<VerifyResult> {
    const refusal = this.#findRefusal();
    if (refusal !== undefined) {
      await this.#verifyPages(refusal);
      return { height: -1, damaged: this.#damaged, areRowsCompared: false };
    }
    const environment = new Environment(this.#directory.index, "read");
    // Every page that the tables of now use stays as it is until this is released.
    const release = environment.pin();
    try {
      await this.#verifyPages();
      if (this.#damaged > 0) return { height: -1, damaged: this.#damaged, areRowsCompared: false };
      return await this.#verifyContent(environment);
    } finally {
      release();
      await environment.close();
    }
  }

  /** Why LMDB can't be let at the file, if it can't: it follows pointers into nowhere. */
  #findRefusal(): IndexerError | undefined {
    try {
      assertLmdbFile(this.#directory.index, false);
      assertSoundPages(this.#directory.index);
      return undefined;
    } catch (reason) {
      if (!isIndexerError(reason)) throw reason;
      return reason;
    }
  }

  /** `refusal`: what is known to be wrong, and is told where no page is found that says it better. */
  async #verifyPages(refusal?: IndexerError): Promise<void> {
    const file = join(this.#directory.index, "data.mdb");
    try {
      const pages = new LmdbPages(this.#directory.index);
      try {
        let done = 0;
        for (const damage of pages.walk()) {
          done += 1;
          if (damage !== undefined) {
            const { table, offset, reason } = damage;
            this.#tell({ kind: "table", file, offset, table, reason: `the page at byte ${offset}: ${reason}` });
          }
          await this.#takeTurn({ phase: "pages", done, total: pages.count });
        }
      } finally {
        pages.close();
      }
    } catch (reason) {
      if (refusal === undefined || !isIndexerError(reason)) throw reason;
    }
    if (refusal !== undefined && this.#damaged === 0) {
      this.#tell({ kind: "table", file, offset: refusal.place?.offset ?? 0, reason: refusal.message });
    }
  }

  async #verifyContent(environment: Environment): Promise<VerifyResult> {
    const tip = environment.get(tips);
    if (tip === undefined) throw environment.damaged("there is no tip row");
    const { height } = tip;
    const files = new BlockFileReader(this.#directory, (file) => environment.get(sourceFiles, file));
    try {
      const chain: IndexedChain = {
        network: this.#network,
        directory: this.#directory,
        reads: environment,
        files,
        height,
      };
      const masks = new Map<string, Uint8Array>();
      await this.#verifyEach(verifyBlocks(chain), height + 1, masks);
      await this.#verifyEach(verifyStaleBlocks(chain), height + 1, new Map());
      if (this.#damaged > 0) return { height, damaged: this.#damaged, areRowsCompared: false };
      const [mask] = masks.size === 1 ? masks.values() : [];
      await this.#verifyRows(environment, { ...chain, mask });
      return { height, damaged: this.#damaged, areRowsCompared: true };
    } finally {
      files.close();
    }
  }

  async #verifyEach(
    verified: Generator<VerifiedBlock, void>,
    total: number,
    masks: Map<string, Uint8Array>,
  ): Promise<void> {
    let done = 0;
    for (const { damage, mask } of verified) {
      done += 1;
      if (damage !== undefined) this.#tell(damage);
      if (mask !== undefined) masks.set(Buffer.from(mask).toString("hex"), mask);
      await this.#takeTurn({ phase: "blocks", done: Math.min(done, total), total });
    }
  }

  /** Makes the tables anew from the blocks, which are sound, and compares them. */
  async #verifyRows(environment: Environment, chain: IndexedChain): Promise<void> {
    const scratch = this.#options.scratchDirectory ?? join(this.#directory.path, "verify");
    // The default one is nobody else's: there already, it is of a verification that was killed.
    const isMade = this.#options.scratchDirectory === undefined || !existsSync(scratch);
    this.#prepareScratch(scratch);
    const lock = await lockDirectory(scratch);
    const tables = join(scratch, "tables");
    try {
      // Of a verification that was killed.
      rmSync(tables, { recursive: true, force: true });
      await this.#rebuild(tables, environment, chain);
    } finally {
      rmSync(tables, { recursive: true, force: true });
      lock.release();
      if (isMade) rmSync(scratch, { recursive: true, force: true });
    }
  }

  async #rebuild(path: string, environment: Environment, chain: IndexedChain): Promise<void> {
    const options = { addressSearch: this.#addressSearch, blocksInPlace: true };
    const store = await openEmbeddedStore(path, this.#network, options);
    try {
      const total = chain.height + 1;
      await runIndexer({
        store,
        source: createIndexedChainSource(chain),
        signal: this.#signal,
        onEvent: ({ height }) => this.#options.onProgress?.({ phase: "rebuild", done: height + 1, total }),
      });
      this.#signal.throwIfAborted();
      const expected = new Environment(dataDirectory(path).index, "read");
      try {
        await this.#compare(environment, expected);
      } finally {
        await expected.close();
      }
    } catch (reason) {
      // What the blocks can't be joined for is damage, be it of rows that say where they are.
      if (isIndexerError(reason) && reason.place !== undefined) this.#tell(damageOf(reason));
      else throw reason;
    } finally {
      await store.close();
    }
  }

  async #compare(environment: Environment, expected: Environment): Promise<void> {
    const file = join(this.#directory.index, "data.mdb");
    const total = bestChainTables.reduce((sum, table) => sum + expected.count(table), 0);
    let done = 0;
    for (const table of bestChainTables) {
      for (const damage of compareTables(table, environment, expected, file)) {
        done += 1;
        if (damage !== undefined) this.#tell(damage);
        await this.#takeTurn({ phase: "rows", done: Math.min(done, total), total });
      }
    }
    const [mine, other] = [environment.get(tips), expected.get(tips)];
    if (mine?.nextTransactionNumber === other?.nextTransactionNumber) return;
    this.#tell({ kind: "row", file, offset: 0, table: tips.name, reason: "the number of transactions is another" });
  }

  /** Throws `IndexerError` where there is no room for the tables. */
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

  #tell(damage: IndexDamage): void {
    this.#damaged += 1;
    this.#options.onDamage?.(damage);
  }

  /** Lets signals, messages and timers be seen. */
  async #takeTurn(progress: VerifyProgress): Promise<void> {
    if (performance.now() - this.#turnStarted < turnMilliseconds) return;
    this.#options.onProgress?.(progress);
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#turnStarted = performance.now();
  }
}
