import { toHex } from "@nodewright/bitcoin-primitives";
import type { Environment } from "../store/environment.ts";
import type { IndexDamage } from "./index-damage.ts";

/** Rows of one table that are reported; more are counted. */
const maximumRows = 100;

/** Compares the rows of a table with those that the blocks make. Yields after each row, the damage if there is any. */
export function* compareTables(
  table: { readonly name: string },
  actual: Environment,
  expected: Environment,
  file: string,
): Generator<IndexDamage | undefined, void> {
  const right = expected.everyRow(table)[Symbol.iterator]();
  const left = actual.everyRow(table)[Symbol.iterator]();
  let count = 0;
  let mine = left.next();
  let other = right.next();
  while (mine.done !== true || other.done !== true) {
    const order = mine.done === true ? 1 : other.done === true ? -1 : Buffer.compare(mine.value.key, other.value.key);
    const isSound = order === 0 && Buffer.compare(mine.value?.value ?? none, other.value?.value ?? none) === 0;
    const key = toHex((order <= 0 ? mine.value?.key : other.value?.key) ?? none);
    if (!isSound) count += 1;
    const isReported = !isSound && count <= maximumRows;
    const reason =
      order < 0 ? "no block makes this row" : order > 0 ? "this row is missing" : "this row has another value";
    yield isReported ? damage(table, file, reason, key) : undefined;
    if (order <= 0) mine = left.next();
    if (order >= 0) other = right.next();
  }
  if (count > maximumRows) yield damage(table, file, `${count - maximumRows} more rows are wrong`);
}

function damage(table: { readonly name: string }, file: string, reason: string, key?: string): IndexDamage {
  return { kind: "row", file, offset: 0, table: table.name, ...(key === undefined ? {} : { key }), reason };
}

const none = new Uint8Array(0);
