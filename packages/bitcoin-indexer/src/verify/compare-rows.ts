import { toHex } from "@nodewright/bitcoin-primitives";
import type { IndexDamage } from "./index-damage.ts";
import type { VerifyRun } from "./verify-run.ts";

/** A row as a table contains it. */
export interface StoredRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A row that differs from the one derived from the blocks. */
export type InvalidRow = Required<Pick<IndexDamage, "key" | "reason">> & Pick<IndexDamage, "height">;

/** Maximum number of reported rows of one table; more are counted. */
const maximumRows = 100;

/** Compares rows with those derived from the blocks, both ascending by key. Yields after each row, with its difference if there is one. */
export function* compareRows(
  actual: Iterable<StoredRow>,
  expected: Iterable<StoredRow>,
): Generator<InvalidRow | undefined, void> {
  const right = expected[Symbol.iterator]();
  const left = actual[Symbol.iterator]();
  let mine = left.next();
  let other = right.next();
  while (mine.done !== true || other.done !== true) {
    const order = mine.done === true ? 1 : other.done === true ? -1 : Buffer.compare(mine.value.key, other.value.key);
    const isSound = order === 0 && Buffer.compare(mine.value?.value ?? none, other.value?.value ?? none) === 0;
    const key = (order <= 0 ? mine.value?.key : other.value?.key) ?? none;
    const reason =
      order < 0 ? "no block makes this row" : order > 0 ? "this row is missing" : "this row has another value";
    yield isSound ? undefined : { key: toHex(key), reason };
    if (order <= 0) mine = left.next();
    if (order >= 0) other = right.next();
  }
}

/** Reporter of the incorrect rows of one table: the first ones each, and the number of further ones. */
export class InvalidRowReporter {
  readonly #run: VerifyRun;
  readonly #place: Pick<IndexDamage, "file" | "table">;
  #count = 0;

  constructor(run: VerifyRun, place: Pick<IndexDamage, "file" | "table">) {
    this.#run = run;
    this.#place = place;
  }

  add(row: InvalidRow): void {
    this.#count += 1;
    if (this.#count <= maximumRows) this.#run.report({ kind: "row", ...this.#place, ...row });
  }

  /** Reports the rest. Called after the last row. */
  finish(): void {
    if (this.#count <= maximumRows) return;
    const reason = `${this.#count - maximumRows} more rows are wrong`;
    this.#run.report({ kind: "row", ...this.#place, reason });
  }
}

const none = new Uint8Array(0);
