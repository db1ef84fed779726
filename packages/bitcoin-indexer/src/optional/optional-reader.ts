import { type BlockHash, equalBytes, wireHash } from "@nodewright/bitcoin-primitives";
import { LateEnvironment } from "../store/late-environment.ts";
import { isReadableOptionalIndex, optionalDirectory } from "./optional-directory.ts";
import { type OptionalIndexKind, type OptionalRow, type OptionalTables, optionalTables } from "./optional-table.ts";

/** Read side of one optional index. */
export interface OptionalRows<Row> {
  /** Returns the height of the index's highest block; -1 while it has none or does not exist. */
  height(): Promise<number>;
  /** Returns the row of a block, on the best chain at `height` or stale; `undefined` when the index does not have it, or not yet. */
  find(hash: BlockHash, height: number): Promise<Row | undefined>;
}

/** Reader of an optional index that another process writes, in this version's layout; it need not exist yet. */
export class OptionalIndexReader<Row extends OptionalRow> implements OptionalRows<Row> {
  readonly #tables: OptionalTables<Row>;
  readonly #environment: LateEnvironment;

  constructor(dataDirectory: string, kind: OptionalIndexKind<Row>) {
    const directory = optionalDirectory(dataDirectory, kind.name);
    this.#tables = optionalTables(kind);
    const tables = this.#tables.all;
    this.#environment = new LateEnvironment(directory.rows, () => isReadableOptionalIndex(directory, kind), { tables });
  }

  async height(): Promise<number> {
    return (await this.#environment.open())?.get(this.#tables.tips) ?? -1;
  }

  async find(text: BlockHash, height: number): Promise<Row | undefined> {
    const hash = wireHash(text);
    const environment = await this.#environment.open();
    if (hash === undefined || environment === undefined) return undefined;
    const row = environment.get(this.#tables.best, height);
    return row !== undefined && equalBytes(row.hash, hash) ? row : environment.get(this.#tables.stale, hash);
  }

  async close(): Promise<void> {
    await this.#environment.close();
  }
}
