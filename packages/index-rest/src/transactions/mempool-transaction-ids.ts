import type { PreparedJson } from "@nodewright/runtime";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";
import { writeJsonArray } from "../response/json-array.ts";
import { mempoolOf } from "../request/no-mempool.ts";

/** Maximum ids of a page, the number of mempool.space; also the number that is read at once. */
const pageLength = 10_000;

const transactionIdPattern = /^[0-9a-fA-F]{64}$/;

interface TransactionIdsResponse {
  readonly headers: { readonly cacheControl: typeof cacheShort; readonly eTag: string };
  readonly body: readonly string[];
}

/** Returns a page of the ids in the mempool, in the order of their hex strings; an invalid id counts as no cursor. */
export async function createTransactionIdsResponse(
  context: IndexRestContext,
  lastSeen: string | undefined,
  limit: number = pageLength,
): Promise<TransactionIdsResponse> {
  const hasCursor = lastSeen !== undefined && transactionIdPattern.test(lastSeen);
  const after = hasCursor ? lastSeen.toLowerCase() : undefined;
  const ids = await mempoolOf(context).transactionIds({ after, limit });
  return { headers: { cacheControl: cacheShort, eTag: hashedEntityTag(ids) }, body: ids };
}

interface AllTransactionIdsResponse {
  /** A list that is sent while it is read has no tag: its complete content is not known yet. */
  readonly headers: { readonly cacheControl: typeof cacheShort; readonly eTag?: string };
  readonly body: readonly string[] | PreparedJson<readonly string[]>;
}

/** Returns all ids in the mempool. Ids beyond a page are sent while they are read. */
export async function createAllTransactionIdsResponse(context: IndexRestContext): Promise<AllTransactionIdsResponse> {
  const first = await createTransactionIdsResponse(context, undefined);
  const last = first.body.at(-1);
  if (last === undefined || first.body.length < pageLength) return first;
  return { headers: { cacheControl: cacheShort }, body: writeJsonArray(first.body, readFurther(context, last)) };
}

async function* readFurther(
  context: IndexRestContext,
  last: string,
): AsyncGenerator<readonly string[], void, undefined> {
  for (let after: string | undefined = last; after !== undefined; ) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    const ids: readonly string[] = await mempoolOf(context).transactionIds({ after, limit: pageLength });
    if (ids.length > 0) yield ids;
    after = ids.length < pageLength ? undefined : ids.at(-1);
  }
}
