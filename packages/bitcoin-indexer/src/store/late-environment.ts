import { type IndexerError, isIndexerError } from "../basics/indexer-error.ts";
import { inSlices } from "../basics/in-slices.ts";
import { Environment, type EnvironmentOptions } from "./environment.ts";
import { checkTables } from "./lmdb-pages.ts";

/** Tables that another process writes, opened for reading once they exist. */
export class LateEnvironment {
  readonly #path: string;
  readonly #options: EnvironmentOptions;
  readonly #isThere: () => boolean;
  #environment: Environment | undefined;
  #opening: Promise<Environment | undefined> | undefined;
  /** Reason why they can't be opened: their pages are not checked again for every request. */
  #refusal: IndexerError | undefined;
  #isClosed = false;

  constructor(path: string, isThere: () => boolean, options: EnvironmentOptions = {}) {
    this.#path = path;
    this.#isThere = isThere;
    this.#options = options;
  }

  /**
   * Returns the tables, `undefined` while they do not exist. Their pages are checked before they are opened for the first time, in time
   * slices that yield to other work; meanwhile all callers get the same promise. Rejects with `IndexerError` where they are damaged.
   */
  open(): Environment | undefined | Promise<Environment | undefined> {
    if (this.#environment !== undefined) return this.#environment;
    if (this.#refusal !== undefined) throw this.#refusal;
    if (this.#isClosed || !this.#isThere()) return undefined;
    this.#opening ??= this.#openInSlices();
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => undefined);
    const environment = this.#environment;
    this.#environment = undefined;
    await environment?.close();
  }

  async #openInSlices(): Promise<Environment | undefined> {
    try {
      await inSlices(checkTables(this.#path, false, this.#options.pagesAtStart), () => undefined);
      if (this.#isClosed) return undefined;
      this.#environment = new Environment(this.#path, "read", { ...this.#options, isChecked: true });
      return this.#environment;
    } catch (reason) {
      if (isIndexerError(reason)) this.#refusal = reason;
      throw reason;
    } finally {
      this.#opening = undefined;
    }
  }
}
