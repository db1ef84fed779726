import { defaultProperty } from "../../properties/default.ts";
import { steadyProperty } from "../../properties/steady.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { listPropertyDrafts, relationDraftsOf, valuePropertyDrafts } from "./property-drafts.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { countDrafts } from "./count-relations.ts";
import { leastDrafts } from "./effect-relations.ts";
import { headDrafts } from "./head-relations.ts";
import { parentDrafts } from "./parent-relations.ts";

/** What has to hold between answers, as far as names and types tell; the most telling first. */
export function* relationDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  yield* valuePropertyDrafts(context, method, steadyProperty);
  yield* listPropertyDrafts(context, method);
  yield* countDrafts(context, method);
  yield* headDrafts(context, method);
  yield* leastDrafts(context, method);
  yield* parentDrafts(context, method);
  yield* valuePropertyDrafts(context, method, defaultProperty);
  yield* relationDraftsOf(context).get(method.name) ?? [];
}
