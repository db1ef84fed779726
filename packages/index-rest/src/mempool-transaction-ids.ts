import type { PreparedJson } from "@nodewright/runtime";
import { isTurnUsedUp, nextTurn } from "@nodewright/runtime/node";
import { cacheShort } from "./cache-control.ts";
import type { IndexRestContext } from "./context.ts";
import { digestTag } from "./entity-tag.ts";
import { writeJsonArray } from "./json-array.ts";
import { mempoolOf } from "./no-mempool.ts";

/** Most ids of a page, the number of mempool.space; what is read at once. */
const pageLength = 10_000;

const transactionIdPattern = /^[0-9a-fA-F]{64}$/;

interface TransactionIdsAnswer {
  readonly headers: { readonly cacheControl: typeof cacheShort; readonly eTag: string };
  readonly body: readonly string[];
}

/** A page of the ids in the mempool, in the order of their texts; what is no id stands for no cursor. */
export async function answerTransactionIds(
  context: IndexRestContext,
  lastSeen: string | undefined,
  limit: number = pageLength,
): Promise<TransactionIdsAnswer> {
  const hasCursor = lastSeen !== undefined && transactionIdPattern.test(lastSeen);
  const after = hasCursor ? lastSeen.toLowerCase() : undefined;
  const ids = await mempoolOf(context).transactionIds({ after, limit });
  return { headers: { cacheControl: cacheShort, eTag: digestTag(ids) }, body: ids };
}

interface AllTransactionIdsAnswer {
  /** A list that is sent while it is read has no tag: nobody knows the whole of it yet. */
  readonly headers: { readonly cacheControl: typeof cacheShort; readonly eTag?: string };
  readonly body: readonly string[] | PreparedJson<readonly string[]>;
}

/** All ids in the mempool. What is more than a page is sent while it is read. */
export async function answerAllTransactionIds(context: IndexRestContext): Promise<AllTransactionIdsAnswer> {
  const first = await answerTransactionIds(context, undefined);
  const last = first.body.at(-1);
  if (last === undefined || first.body.length < pageLength) return first;
  return { headers: { cacheControl: cacheShort }, body: writeJsonArray(first.body, readFurther(context, last)) };
}

async function* readFurther(
  context: IndexRestContext,
  last: string,
): AsyncGenerator<readonly string[], void, undefined> {
  for (let after: string | undefined = last; after !== undefined; ) {
    if (isTurnUsedUp()) await nextTurn();
    const ids: readonly string[] = await mempoolOf(context).transactionIds({ after, limit: pageLength });
    if (ids.length > 0) yield ids;
    after = ids.length < pageLength ? undefined : ids.at(-1);
  }
}
