import type { PlannedCase, Stage } from "../case/planned-case.ts";
import type { Session } from "../run/session.ts";
import type { RpcSuite, SuiteExample, SuiteRpcMethod } from "../suite/suite.ts";
import { exampleDraft, exampleValueDraft } from "./example-cases.ts";
import { firstDraft } from "./first-call.ts";
import { createContext, judgedMethods, planCases, type RpcContext } from "./rpc-context.ts";

/** Plans every case of a JSON-RPC suite, in stages: each knows what the ones before it were answered. */
export function rpcStages(suite: RpcSuite, session: Session): readonly Stage[] {
  const context = createContext(suite, session, []);
  return [
    stage(context, "first calls", 1, (method) => [firstDraft(context, method)]),
    stage(context, "examples", 0.5, (method) =>
      orderedExamples(method).map((example) => exampleDraft(context, method, example)),
    ),
    stage(context, "documented values", 0.6, (method) =>
      method.examples
        .filter(({ outcome }) => outcome.kind === "success")
        .map((example) => exampleValueDraft(context, method, example)),
    ),
  ];
}

/** A stage of cases of methods; `share` is how much of a method's calls may be planned when it is over. */
function stage(
  context: RpcContext,
  name: string,
  share: number,
  draftsOf: (method: SuiteRpcMethod) => Parameters<typeof planCases>[2],
): Stage {
  return {
    name,
    plan: (): readonly PlannedCase[] =>
      judgedMethods(context).flatMap((method) => planCases(context, method, draftsOf(method), share)),
  };
}

/** Documented results and errors in turn, so that both are there where not all can be played. */
function orderedExamples({ examples }: SuiteRpcMethod): readonly SuiteExample[] {
  const successes = examples.filter(({ outcome }) => outcome.kind === "success");
  const failures = examples.filter(({ outcome }) => outcome.kind === "failure");
  const length = Math.max(successes.length, failures.length);
  return Array.from({ length }, (_none, index) => [successes[index], failures[index]])
    .flat()
    .filter((example) => example !== undefined);
}
