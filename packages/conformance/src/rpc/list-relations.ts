import { inTurns } from "../basics/in-turns.ts";
import type { SuiteRpcMethod } from "../suite/suite.ts";
import { listsOf } from "./list-draft.ts";
import { filterDrafts } from "./list-filters.ts";
import { rangeDrafts } from "./list-ranges.ts";
import { listPropertyDrafts } from "./property-drafts.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";

/** What has to hold between lists that are asked for in different parts, orders and choices. */
export function* listDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const lists = listsOf(context, method);
  if (lists === undefined) return;
  // Where calls are few, no kind takes those of another.
  yield* inTurns([filterDrafts(lists), rangeDrafts(lists), listPropertyDrafts(context, method)]);
}
