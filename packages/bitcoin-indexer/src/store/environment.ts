import { ABORT, type Database, open, type RootDatabase, type Transaction } from "lmdb";
import type { IndexerError } from "../basics/indexer-error.ts";
import { damagedTables } from "./damaged-tables.ts";
import { allTables, type Table } from "./layout.ts";
import { assertSoundTables } from "./lmdb-pages.ts";

/** Type with the second parameter of this read, which the library's types lack and its other reads have. */
interface ByteDatabase extends Database<Uint8Array, Uint8Array> {
  getBinaryFast(id: Uint8Array, options?: { readonly transaction: Transaction }): Buffer | undefined;
}

/** Range of rows of one table from `start` on, ascending by key. */
export interface RowRange {
  /** First possible key. */
  readonly start: Uint8Array;
  /** First key after the range. */
  readonly end: Uint8Array;
  readonly limit?: number | undefined;
  /** Number of rows that are skipped first. */
  readonly offset?: number | undefined;
  readonly reverse?: boolean | undefined;
}

/** Options in which an environment differs from that of the index. */
export interface EnvironmentOptions {
  /** Tables in place of the index's. */
  readonly tables?: readonly { readonly name: string }[] | undefined;
  /** Whether commits are synced to the disk. False for tables that are rebuilt after a crash of the machine. */
  readonly isDurable?: boolean | undefined;
  /** Approximate number of pages that are checked before it is opened; as many as of the index unless given. */
  readonly pagesAtStart?: number | undefined;
  /** Whether `checkTables` has just checked them. */
  readonly isChecked?: boolean | undefined;
}

/** Reads of tables. */
export interface TableReads {
  get<Key extends readonly unknown[], Value>(table: Table<Key, Value>, ...key: Key): Value | undefined;
  has<Key extends readonly unknown[], Value>(table: Table<Key, Value>, ...key: Key): boolean;
  /** Returns the value without a copy, valid until the next read: for callers that need only a part of a row. */
  view<Key extends readonly unknown[], Value>(table: Table<Key, Value>, ...key: Key): Uint8Array | undefined;
  /** Returns at most `limit` rows; values are valid beyond the next read. */
  rows(
    table: { readonly name: string },
    range: RowRange,
  ): readonly { readonly key: Uint8Array; readonly value: Uint8Array }[];
  keys(table: { readonly name: string }, range: RowRange): readonly Uint8Array[];
  /** Returns the number of rows of the complete table, without reading any. */
  count(table: { readonly name: string }): number;
  /** Returns the error for rows that contradict each other or are missing. Every read throws it for rows that can't be read. */
  damaged(reason: string): IndexerError;
}

/** An open transaction: until it ends, the environment it was begun on reads its writes, and all others read the previous state. */
export interface WriteTransaction {
  /** Returns when everything is on the disk. */
  commit(): Promise<void>;
  cancel(): Promise<void>;
}

/**
 * LMDB environment with all tables.
 *
 * Reads within one turn of the event loop see one state, whatever a writing process commits meanwhile; a method that awaits nothing reads
 * from one snapshot.
 */
export class Environment implements TableReads {
  readonly #root: RootDatabase<Uint8Array, Uint8Array>;
  readonly #databases: Map<string, ByteDatabase>;
  readonly #path: string;
  /** Source of reads while it is pinned. */
  #snapshot: { readonly transaction: Transaction } | undefined;

  /**
   * Opens the environment. Throws `IndexerError` when the file there is not an LMDB file, or pages of it are damaged: they would end the
   * process that follows them.
   */
  constructor(path: string, access: "read" | "write", options: EnvironmentOptions = {}) {
    if (options.isChecked !== true) assertSoundTables(path, access === "write", options.pagesAtStart);
    this.#path = path;
    this.#root = this.#guard("its first pages", () =>
      open<Uint8Array, Uint8Array>({
        path,
        ...byteEncodings,
        maxDbs: 32,
        maxReaders: 512,
        mapSize: addressSpace,
        // A commit returns when it is on the disk: the block files rely on the order of their own and the index's writes.
        overlappingSync: false,
        noSync: options.isDurable === false,
        readOnly: access === "read",
        noSubdir: false,
      }),
    );
    this.#databases = new Map();
    for (const table of options.tables ?? allTables) this.addTable(table);
  }

  /** Runs `action` in one transaction: all its writes are committed, or none when it throws. */
  write(action: () => void): void {
    this.#guard("a transaction", () => this.#root.transactionSync(action));
  }

  /** Begins a transaction that stays open over turns of the event loop. One at a time. */
  begin(): WriteTransaction {
    const { promise: isKept, resolve: end } = Promise.withResolvers<boolean>();
    const ended: Promise<unknown> = this.#guard("a transaction", () =>
      this.#root.transactionSync(() => isKept.then((kept) => (kept ? undefined : ABORT))),
    );
    // Reported by commit or cancel; nothing may listen yet.
    ended.catch(() => undefined);
    return {
      commit: async () => {
        end(true);
        await ended.catch((cause: unknown) => {
          throw this.#explained("a transaction", cause);
        });
      },
      async cancel() {
        end(false);
        // A failed commit has cancelled already.
        await ended.catch(() => undefined);
      },
    };
  }

  get<Key extends readonly unknown[], Value>(table: Table<Key, Value>, ...key: Key): Value | undefined {
    const bytes = this.getBytes(table, table.key(...key));
    if (bytes === undefined) return undefined;
    try {
      return table.decode(bytes, ...key);
    } catch (cause) {
      throw damagedTables(this.#path, `a row of ${table.name} can't be read`, { cause });
    }
  }

  has<Key extends readonly unknown[], Value>(table: Table<Key, Value>, ...key: Key): boolean {
    return this.getBytes(table, table.key(...key)) !== undefined;
  }

  view<Key extends readonly unknown[], Value>(table: Table<Key, Value>, ...key: Key): Uint8Array | undefined {
    return this.getBytes(table, table.key(...key));
  }

  rows(
    table: { readonly name: string },
    range: RowRange,
  ): readonly { readonly key: Uint8Array; readonly value: Uint8Array }[] {
    return this.#guard(table.name, () =>
      Array.from(this.#databaseOf(table).getRange({ ...lmdbRange(range), ...this.#snapshot })),
    );
  }

  keys(table: { readonly name: string }, range: RowRange): readonly Uint8Array[] {
    return this.#guard(table.name, () =>
      Array.from(this.#databaseOf(table).getKeys({ ...lmdbRange(range), ...this.#snapshot })),
    );
  }

  count(table: { readonly name: string }): number {
    // LMDB stores the number; the library leaves its type open.
    const stats = this.#guard(table.name, () => this.#databaseOf(table).getStats());
    return (stats as { readonly entryCount: number }).entryCount;
  }

  /** Returns the value of a row whose key is already encoded, valid until the next read. */
  getBytes(table: { readonly name: string }, key: Uint8Array): Uint8Array | undefined {
    return this.#guard(table.name, () => this.#databaseOf(table).getBinaryFast(key, this.#snapshot));
  }

  damaged(reason: string): IndexerError {
    return damagedTables(this.#path, reason);
  }

  /**
   * Pins the current state of the tables until the returned function is called, whatever is committed meanwhile. Pages that commits replace
   * are kept in the file as long.
   */
  pin(): () => void {
    const transaction = this.#root.useReadTransaction();
    this.#snapshot = { transaction };
    return () => {
      this.#snapshot = undefined;
      transaction.done();
    };
  }

  /** Adds a table that only one task needs, and that `dropTable` removes again. */
  addTable({ name }: { readonly name: string }): void {
    const database = this.#guard(name, () => this.#root.openDB<Uint8Array, Uint8Array>(name, byteEncodings));
    this.#databases.set(name, database);
  }

  /** Drops a table with all its rows; their space in the file is reused. */
  dropTable(table: { readonly name: string }): void {
    this.#guard(table.name, () => this.#databaseOf(table).dropSync());
    this.#databases.delete(table.name);
  }

  /** Removes all rows. */
  clearTable(table: { readonly name: string }): void {
    this.#guard(table.name, () => this.#databaseOf(table).clearSync());
  }

  put<Key extends readonly unknown[], Value>(table: Table<Key, Value>, key: Key, value: Value): void {
    this.putBytes(table, table.key(...key), table.encode(value, ...key), false);
  }

  remove<Key extends readonly unknown[], Value>(table: Table<Key, Value>, ...key: Key): void {
    this.removeBytes(table, table.key(...key));
  }

  /** Writes rows that are already encoded. `append` requires ascending keys above all existing ones, and is faster. */
  putBytes(table: { readonly name: string }, key: Uint8Array, value: Uint8Array, append: boolean): void {
    this.#guard(table.name, () => this.#databaseOf(table).putSync(key, value, append ? appending : overwriting));
  }

  removeBytes(table: { readonly name: string }, key: Uint8Array): void {
    this.#guard(table.name, () => this.#databaseOf(table).removeSync(key));
  }

  /** Releases the slots of killed reading processes, whose snapshots would otherwise keep the file growing. */
  forgetDeadReaders(): void {
    this.#root.readerCheck();
  }

  /** Yields every row of a table or of a range of it, ascending, one at a time; for comparing complete indexes. */
  *everyRow(
    table: { readonly name: string },
    range?: RowRange,
  ): Iterable<{ readonly key: Uint8Array; readonly value: Uint8Array }> {
    try {
      yield* this.#databaseOf(table).getRange({ ...(range && lmdbRange(range)), ...this.#snapshot });
    } catch (cause) {
      throw this.#explained(table.name, cause);
    }
  }

  async close(): Promise<void> {
    await this.#root.close();
  }

  /** Runs `action`, which reads or writes `subject`, and converts its errors. */
  #guard<Result>(subject: string, action: () => Result): Result {
    try {
      return action();
    } catch (cause) {
      throw this.#explained(subject, cause);
    }
  }

  /** Returns the error for pages that LMDB itself finds invalid, which is damage; all others unchanged. */
  #explained(subject: string, cause: unknown): unknown {
    if (!isLmdbDamage(cause)) return cause;
    return damagedTables(this.#path, `${subject}: ${cause.message}`, { cause });
  }

  #databaseOf(table: { readonly name: string }): ByteDatabase {
    const database = this.#databases.get(table.name);
    if (database === undefined) throw new Error(`The index has no table ${table.name}`);
    return database;
  }
}

/**
 * Error codes of LMDB (`lmdb.h`) that only damage leads to, because tables are always opened alike, keys are short, and nothing is
 * encrypted: MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_PANIC, MDB_VERSION_MISMATCH, MDB_INVALID, MDB_CURSOR_FULL, MDB_PAGE_FULL,
 * MDB_INCOMPATIBLE, MDB_BAD_TXN, MDB_BAD_VALSIZE (a key of the list of free pages), MDB_PROBLEM, MDB_BAD_CHECKSUM, MDB_CRYPTO_FAIL,
 * MDB_ENV_ENCRYPTION. A transaction that has met damage is unusable for all reads in the same turn of the event loop.
 */
const damageCodes: ReadonlySet<unknown> = new Set([
  -30797, -30796, -30795, -30794, -30793, -30787, -30786, -30784, -30782, -30781, -30779, -30778, -30777, -30776,
]);

function isLmdbDamage(reason: unknown): reason is Error {
  return reason instanceof Error && "code" in reason && damageCodes.has(reason.code);
}

const byteEncodings = { encoding: "binary", keyEncoding: "binary" } as const;

/** Bytes of address space, not of memory or disk: a mapping that never moves need not be renewed in reading processes. */
const addressSpace = 2 ** 40;

const appending = { append: true };
const overwriting = { append: false };

function lmdbRange({ start, end, limit, offset, reverse }: RowRange): {
  start: Uint8Array;
  end: Uint8Array;
  limit?: number;
  offset?: number;
  reverse?: boolean;
} {
  return {
    start,
    end,
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(reverse === undefined ? {} : { reverse }),
  };
}
