import {
  isIndexerError,
  type MempoolUnspentOutput,
  type OutputName,
  type UnspentOutput as ConfirmedOutput,
} from "@nodewright/bitcoin-indexer";
import type { UnspentOutput } from "@nodewright/index-api/types";
import { type PreparedJson, ServiceError } from "@nodewright/runtime";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";
import { mempoolOf } from "../request/no-mempool.ts";
import { outputNameText, readOutputName } from "../request/output-name.ts";
import { renderUnspentOutputs, renderUnspentPieces } from "../render/unspent-output.ts";

/** Number of outputs that are read at once. */
const pageLength = 250;

/** Maximum outputs of a response that is complete before it is sent. */
const pieceLength = 1_000;

export interface UnspentWish {
  /** Maximum number of outputs; absent: all. */
  readonly limit?: number | undefined;
  /** Reference `txid:vout` to the last output of the page before. */
  readonly after?: string | undefined;
}

interface UnspentOutputsResponse {
  readonly headers: { readonly cacheControl: typeof cacheShort; readonly eTag: string };
  readonly body: PreparedJson<readonly UnspentOutput[]>;
}

type AnyUnspentOutput = ConfirmedOutput | MempoolUnspentOutput;

/** Changes of a script's outputs by the mempool. */
interface Waiting {
  readonly outputs: readonly MempoolUnspentOutput[];
  /** References to outputs that waiting transactions spend. */
  readonly spent: ReadonlySet<string>;
}

/**
 * Returns the unspent outputs of a script: confirmed ones, oldest first, without those that the mempool spends; then those of the mempool.
 * Outputs beyond a piece are sent while they are read. Throws `unprocessable` for a cursor of an unknown transaction.
 */
export async function createUnspentOutputsResponse(
  context: IndexRestContext,
  scriptHash: string,
  { limit = Number.POSITIVE_INFINITY, after }: UnspentWish,
): Promise<UnspentOutputsResponse> {
  const waiting = await readWaiting(context, scriptHash);
  const start = await findStart(context, waiting, after);
  const pieces = readPieces(context, scriptHash, waiting, start, limit);
  const ready: AnyUnspentOutput[] = [];
  while (ready.length <= pieceLength) {
    const piece = await pieces.next();
    if (piece.done === true) return { headers: headersOf(ready.map(nameOf)), body: renderUnspentOutputs(ready) };
    ready.push(...piece.value);
  }
  const tip = await context.index.tip();
  const names = [tip?.hash ?? "", ...waiting.outputs.map(outputNameText), "spent", ...waiting.spent];
  return { headers: headersOf(names), body: renderUnspentPieces(ready, pieces) };
}

function headersOf(names: readonly string[]): UnspentOutputsResponse["headers"] {
  return { cacheControl: cacheShort, eTag: hashedEntityTag(names) };
}

function nameOf(output: AnyUnspentOutput): string {
  return `${output.txid}:${output.vout}:${"block" in output ? output.block.hash : "waiting"}`;
}

/** Reads the mempool before the chain is queried: transactions that a block takes out meanwhile are then found there. */
async function readWaiting(context: IndexRestContext, scriptHash: string): Promise<Waiting> {
  const mempool = mempoolOf(context);
  const [outputs, spent] = await Promise.all([mempool.unspentOutputs(scriptHash), mempool.spentOutputs(scriptHash)]);
  return { outputs, spent: new Set(spent.map(outputNameText)) };
}

/** Position at which a list continues: after an output of the chain, or after one of the mempool. */
interface Start {
  readonly confirmed?: OutputName | undefined;
  /** Position among those of the mempool; present when no confirmed output is left. */
  readonly waiting?: number;
}

async function findStart(context: IndexRestContext, { outputs }: Waiting, after: string | undefined): Promise<Start> {
  if (after === undefined) return {};
  const cursor = readOutputName(after);
  if (cursor === undefined) throw new ServiceError("invalid_input", "Invalid after");
  if (await isConfirmed(context, cursor.txid)) return { confirmed: cursor };
  const position = outputs.findIndex(({ txid, vout }) => txid === cursor.txid && vout === cursor.vout);
  if (position === -1) throw new ServiceError("unprocessable", "after not found");
  return { waiting: position + 1 };
}

async function isConfirmed({ index }: IndexRestContext, txid: string): Promise<boolean> {
  return (await index.transactionPlace(txid)) !== undefined;
}

/** Yields pieces, never an empty one. */
async function* readPieces(
  context: IndexRestContext,
  scriptHash: string,
  waiting: Waiting,
  start: Start,
  limit: number,
): AsyncGenerator<readonly AnyUnspentOutput[], undefined, undefined> {
  let room = limit;
  const confirmed =
    start.waiting === undefined ? readConfirmed(context, scriptHash, start.confirmed, limit + waiting.spent.size) : [];
  for await (const page of confirmed) {
    const piece = withoutSpent(page, waiting).slice(0, room);
    room -= piece.length;
    if (piece.length > 0) yield piece;
    if (room === 0) return;
  }
  const rest = waiting.outputs.slice(start.waiting ?? 0);
  for (let position = 0; position < rest.length && room > 0; position += pageLength) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    const piece = await withoutConfirmed(context, rest.slice(position, position + pageLength));
    const wanted = piece.slice(0, room);
    room -= wanted.length;
    if (wanted.length > 0) yield wanted;
  }
}

function withoutSpent(page: readonly ConfirmedOutput[], { spent }: Waiting): readonly ConfirmedOutput[] {
  return spent.size === 0 ? page : page.filter((output) => !spent.has(outputNameText(output)));
}

async function* readConfirmed(
  context: IndexRestContext,
  scriptHash: string,
  start: OutputName | undefined,
  limit: number,
): AsyncGenerator<readonly ConfirmedOutput[], undefined, undefined> {
  const first = { after: start, limit: Math.min(limit, pageLength) };
  try {
    for await (const page of context.index.unspentOutputPages(scriptHash, first)) {
      yield page;
      if (isTimeSliceUsedUp()) await nextTimeSlice();
    }
  } catch (reason) {
    // The rest of a list of another chain must not be taken for the rest of this one.
    if (!isIndexerError(reason) || reason.code !== "reorganised") throw reason;
    throw new ServiceError("upstream_unavailable", "The chain was reorganised meanwhile");
  }
}

/** Drops outputs that a block may have confirmed since the mempool was read. */
async function withoutConfirmed(
  context: IndexRestContext,
  outputs: readonly MempoolUnspentOutput[],
): Promise<readonly MempoolUnspentOutput[]> {
  const areConfirmed = await Promise.all(outputs.map(({ txid }) => isConfirmed(context, txid)));
  return outputs.filter((_output, position) => areConfirmed[position] !== true);
}
