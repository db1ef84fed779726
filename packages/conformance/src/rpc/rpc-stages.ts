import type { PlannedCase, Stage } from "../contract/planned-case.ts";
import type { Session } from "../session/session.ts";
import { createSafety } from "../safety/safety.ts";
import type { RpcSuite, SuiteExample, SuiteRpcMethod } from "../suite/suite.ts";
import { boundaryDrafts, randomDrafts } from "./boundary-cases.ts";
import { declaredErrorDrafts } from "./declared-error-drafts.ts";
import { planDescribed } from "./described-relations.ts";
import { discoveryDraft } from "./discovery-case.ts";
import { exampleDraft, exampleValueDrafts } from "./example-cases.ts";
import { firstDraft } from "./first-call.ts";
import { listPropertyDrafts } from "./property-drafts.ts";
import { foundDrafts, madeUpDrafts, neverTakenDrafts, variantDrafts } from "./live-cases.ts";
import { keyDrafts } from "./key-cases.ts";
import { negativeDrafts } from "./negative-cases.ts";
import { excludedStyleDrafts, refusedStyleDrafts, styleDrafts } from "./parameter-structure.ts";
import { findPlainCall, protocolCase } from "./protocol-case.ts";
import { batchDrafts, firstBatchDraft } from "./protocol-batch-cases.ts";
import { answeredDrafts, getDraft, notificationDraft, refusedDrafts, versionDrafts } from "./protocol-request-cases.ts";
import { demandedParameterDrafts, refusedChoiceDrafts, refusedParameterDrafts } from "./refused-parameters.ts";
import { relationDrafts } from "./relation-cases.ts";
import { resultChecks } from "./result-checks.ts";
import { staleDrafts } from "./stale-relations.ts";
import { type CaseDraft, createContext, judgedMethods, planCases, type RpcContext } from "./rpc-context.ts";

/** Rounds in which values of answers are followed into further calls. */
const rounds = 3;

/** Documents with more methods have fewer calls for each: what says least comes last in them, and in the longest not at all. */
const fewMethods = 12;
const manyMethods = 40;

/** Plans every case of a JSON-RPC suite, in stages: each knows what the ones before it were answered. */
export function rpcStages(suite: RpcSuite, session: Session): readonly Stage[] {
  const context = createContext(suite, session, resultChecks);
  const safety = createSafety(suite, session.options);
  const reads = ({ name }: SuiteRpcMethod): boolean => safety.of(name).isSafe;
  const stageOf = (name: string, share: number, draftsOf: DraftsOf, isFor: typeof reads): Stage => ({
    name,
    plan: () =>
      judgedMethods(context)
        .filter(isFor)
        .flatMap((method) => planCases(context, method, draftsOf(context, method), share)),
  });
  const stage = (name: string, share: number, draftsOf: DraftsOf): Stage => stageOf(name, share, draftsOf, reads);
  /** What changes something is asked for nothing but what the description shows, and what it excludes. */
  const stageOfAll = (name: string, share: number, draftsOf: DraftsOf): Stage =>
    stageOf(name, share, draftsOf, () => true);
  return [
    stage("first calls", 1, (_context, method) => [firstDraft(context, method)]),
    stageOfAll("examples", 0.4, exampleDrafts),
    ...Array.from({ length: rounds }, (_none, round) =>
      stage(`live ${round + 1}`, 0.5, (_context, method) => foundDrafts(context, method, round + 1)),
    ),
    stage("made-up calls", 0.5, madeUpDrafts),
    stage("refused parameters", 0.55, neverTakenDrafts),
    stageOfAll("documented values", 0.55, exampleValueDrafts),
    stage("variants", 0.6, variantDrafts),
    stage("parameters that are taken", 0.62, (_context, method) => [
      ...refusedParameterDrafts(context, method),
      ...demandedParameterDrafts(context, method),
      ...refusedChoiceDrafts(context, method),
    ]),
    { name: "ways of writing parameters", plan: () => firstStyleCases(context, reads) },
    stage("other ways of writing parameters", 0.64, styleDrafts),
    stage("refused ways of writing parameters", 0.68, refusedStyleDrafts),
    stage("excluded ways of writing parameters", 0.69, excludedStyleDrafts),
    stage("documented errors", 0.7, declaredErrorDrafts),
    stage("lists", 0.74, listPropertyDrafts),
    stage("documented bounds", 0.76, (_context, method) => boundaryDrafts(context, method, "certain")),
    stage("relations", 0.85, relationDrafts),
    // By itself: other calls of the same methods would come between.
    stage("calls in turn", suite.operations.length > fewMethods ? 0 : 0.88, staleDrafts),
    stageOfAll("wrong parameters", 0.97, negativeDrafts),
    stage("calls in turn, late", suite.operations.length > manyMethods ? 0 : 1, staleDrafts),
    stage("bounds", 1, (_context, method) => boundaryDrafts(context, method, "likely")),
    stage("random values", 1, randomDrafts),
    { name: "protocol", plan: () => protocolCases(context) },
    { name: "batches", plan: () => batchDrafts(context).map(protocolCase) },
    { name: "described relations", plan: () => planDescribed(context) },
  ];
}

type DraftsOf = (context: RpcContext, method: SuiteRpcMethod) => Iterable<CaseDraft>;

function exampleDrafts(context: RpcContext, method: SuiteRpcMethod): readonly CaseDraft[] {
  return orderedExamples(method).map((example) => exampleDraft(context, method, example));
}

/** Two methods tell whether parameters are taken in the other way at all: one alone may be the one that does not. */
function firstStyleCases(context: RpcContext, reads: (method: SuiteRpcMethod) => boolean): readonly PlannedCase[] {
  const cases: PlannedCase[] = [];
  for (const method of judgedMethods(context).filter(reads)) {
    cases.push(...planCases(context, method, styleDrafts(context, method), 1));
    if (cases.length === 2) break;
  }
  return cases;
}

function protocolCases(context: RpcContext): readonly PlannedCase[] {
  const call = findPlainCall(context);
  const ofCall =
    call === undefined
      ? []
      : [
          ...answeredDrafts(context, call),
          ...versionDrafts(context, call),
          notificationDraft(call),
          firstBatchDraft(context, call),
          ...keyDrafts(context, call),
        ];
  return [...refusedDrafts(context), ...ofCall, getDraft(), discoveryDraft(context)].map(protocolCase);
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
