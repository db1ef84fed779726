import { type BlockHash, displayHash, equalBytes } from "@nodewright/bitcoin-primitives";
import { indexedBlock } from "../optional/indexed-block.ts";
import { type OptionalIndexKind, type OptionalRow, optionalTables } from "../optional/optional-table.ts";
import type { BlockRecord, ChainQueries } from "../query/chain-queries.ts";
import type { Environment, RowRange } from "../store/environment.ts";
import type { Table } from "../store/layout.ts";
import { compareRows, type StoredRow, type InvalidRow } from "./compare-rows.ts";
import { findRow } from "./verify-blocks.ts";

/** An optional index and the main index, in one state each. The main index is intact, and has every block of the optional one. */
export interface ComparedIndexes<Row extends OptionalRow> {
  readonly kind: OptionalIndexKind<Row>;
  readonly environment: Environment;
  /** Height of the highest row of the optional index's best chain; -1 if the index is empty. */
  readonly tip: number;
  readonly chain: ChainQueries;
}

/** A row that was compared, or is missing. */
export interface ComparedRow {
  readonly table: "best" | "stale";
  readonly height: number;
  /** Difference; absent where the row is correct. */
  readonly difference?: InvalidRow | undefined;
}

/**
 * Compares the rows of an optional index with those derived from the blocks of the main index, from the genesis block upward. Each row is
 * derived from the derived row below, so an incorrect row does not affect others; rows of two heights are in memory. Yields after each row.
 *
 * Rows above the main index's tip are skipped: no block of it produces them. Of a stale block that the main index has dropped, only the
 * hash is compared.
 */
export async function* compareOptionalRows<Row extends OptionalRow>(
  indexes: ComparedIndexes<Row>,
): AsyncGenerator<ComparedRow, void> {
  const { kind, environment, tip, chain } = indexes;
  const { best, stale } = optionalTables(kind);
  const branch = await findBranch(indexes);
  const staleBlocks = new Map<number, BlockRecord[]>();
  const mainHeight = (await chain.tipHeight()) ?? -1;
  const top = branch.size > 0 ? tip : Math.min(tip, mainHeight);
  let highest = top;
  for (const key of environment.keys(stale, everyHash)) {
    const block = await chain.blockByHash(displayHash(key));
    if (block === undefined) yield { table: "stale", height: 0, difference: findInvalidHash(environment, stale, key) };
    else staleBlocks.set(block.height, [...(staleBlocks.get(block.height) ?? []), block]);
    highest = Math.max(highest, block?.height ?? -1);
  }
  let below: ReadonlyMap<BlockHash, Row> = new Map();
  for (let height = 0; height <= highest; height += 1) {
    const bestBlock = height <= top ? (branch.get(height) ?? (await chain.blockByHeight(height))) : undefined;
    const others = staleBlocks.get(height) ?? [];
    const rows = new Map<BlockHash, Row>();
    for (const block of bestBlock === undefined ? others : [bestBlock, ...others]) {
      const parent = below.get(block.previousHash ?? "");
      if (rows.has(block.hash) || (height > 0 && parent === undefined)) continue;
      rows.set(block.hash, await kind.rowOf(indexedBlock(chain, block), parent));
    }
    const compare = function* (table: "best" | "stale", range: RowRange, row: StoredRow): Generator<ComparedRow> {
      const actual = environment.everyRow(table === "best" ? best : stale, range);
      for (const difference of compareRows(actual, [row]))
        yield { table, height, difference: difference && { ...difference, height } };
    };
    const bestRow = bestBlock && rows.get(bestBlock.hash);
    if (bestRow !== undefined) {
      const range = { start: height === 0 ? lowestKey : best.key(height), end: best.key(height + 1) };
      yield* compare("best", range, { key: best.key(height), value: best.encode(bestRow, height) });
    }
    for (const { hash } of others) {
      const row = rows.get(hash);
      if (row === undefined) continue;
      const key = stale.key(row.hash);
      yield* compare(
        "stale",
        { start: key, end: Buffer.concat([key, lowestKey]) },
        { key, value: stale.encode(row, key) },
      );
    }
    below = rows;
  }
  for (const difference of compareRows(environment.everyRow(best, { start: best.key(tip + 1), end: highestKey }), [])) {
    yield { table: "best", height: tip, difference };
  }
}

/** Returns the stale blocks on the best chain of the optional index by height: it may be on a branch that the main one has left since. */
async function findBranch<Row extends OptionalRow>({
  kind,
  environment,
  tip,
  chain,
}: ComparedIndexes<Row>): Promise<ReadonlyMap<number, BlockRecord>> {
  const branch = new Map<number, BlockRecord>();
  const row = tip < 0 ? undefined : findRow(environment, optionalTables(kind).best, tip);
  let block = row && (await chain.blockByHash(displayHash(row.hash)));
  // The hash of another block: the row is incorrect.
  if (block?.height !== tip) return branch;
  while (block !== undefined && !block.onBestChain) {
    branch.set(block.height, block);
    block = await chain.blockByHash(block.previousHash ?? "");
  }
  return block === undefined ? new Map() : branch;
}

function findInvalidHash<Row extends OptionalRow>(
  environment: Environment,
  stale: Table<[hash: Uint8Array], Row>,
  key: Uint8Array,
): InvalidRow | undefined {
  const row = findRow(environment, stale, key);
  if (row !== undefined && equalBytes(row.hash, key)) return undefined;
  return { key: Buffer.from(key).toString("hex"), reason: "this row belongs to another block" };
}

const lowestKey = Uint8Array.of(0);
const highestKey = new Uint8Array(5).fill(0xff);
const everyHash = { start: lowestKey, end: new Uint8Array(33).fill(0xff) };
