import { type PlannedCase, protocolCase } from "../../contract/planned-case.ts";
import { fewOperations, type ProtocolPlan, shareCalls } from "../../contract/protocol-plan.ts";
import type { Session } from "../../session/session.ts";
import { createSafety } from "../../safety/safety.ts";
import type { RpcSuite, SuiteExample, SuiteRpcMethod } from "../../suite/suite.ts";
import { declaredErrorDrafts } from "./declared-error-drafts.ts";
import { planDescribed } from "./described-relations.ts";
import { discoveryDraft } from "./discovery-case.ts";
import { exampleDraft, exampleValueDrafts } from "./example-cases.ts";
import { firstDraft } from "./first-call.ts";
import { ownResultProperty } from "../../properties/own-result.ts";
import { inspectResult, listPropertyDrafts, relationDrafts, valuePropertyDrafts } from "./property-drafts.ts";
import { foundDrafts, likelyDrafts, neverAcceptedDrafts, onlyRequiredDrafts } from "./live-cases.ts";
import { keyDrafts } from "./key-cases.ts";
import {
  boundaryDrafts,
  documentedBoundDrafts,
  firstInvalidDrafts,
  invalidDrafts,
  randomDrafts,
} from "./input-drafts.ts";
import { excludedStyleDrafts, refusedStyleDrafts, styleDrafts } from "./parameter-structure.ts";
import { findPlainCall } from "./protocol-case.ts";
import { batchDrafts, firstBatchDraft } from "./protocol-batch-cases.ts";
import { callDrafts, getDraft, refusedDrafts } from "./protocol-request-cases.ts";
import { type RpcDraft, createContext, judgedMethods, planCases, type RpcContext } from "./rpc-context.ts";

/** In documents with more methods no calls are made in turn. */
const manyMethods = 40;

/** The planners of a JSON-RPC interface. */
export function planRpc(suite: RpcSuite, session: Session): ProtocolPlan {
  const context = createContext(suite, session, inspectResult);
  const safety = createSafety(suite, session.options);
  const reads = ({ name }: SuiteRpcMethod): boolean => safety.of(name).isSafe;
  const ofEach =
    (draftsOf: DraftsOf, isFor: typeof reads = reads) =>
    (): readonly PlannedCase[] =>
      judgedMethods(context)
        .filter(isFor)
        .flatMap((method) => planCases(context, method, draftsOf(context, method)));
  /** What changes something is asked for nothing but what the description shows, and what it excludes. */
  const ofAll = (draftsOf: DraftsOf) => ofEach(draftsOf, () => true);
  const found = (round: number) => ofEach((_context, method) => foundDrafts(context, method, round));
  const { length } = suite.operations;
  return {
    operations: shareCalls(suite.operations),
    planners: {
      "first calls": ofEach((_context, method) => [firstDraft(context, method)]),
      examples: ofAll(exampleDrafts),
      "found values, round 1": found(1),
      "found values, round 2": found(2),
      "made-up values": ofEach(likelyDrafts),
      "found values, round 3": found(3),
      "calls that are always refused": ofEach(neverAcceptedDrafts),
      "documented values": ofAll(exampleValueDrafts),
      variants: ofEach((_context, method) => [
        ...onlyRequiredDrafts(context, method),
        ...documentedBoundDrafts(context, method),
      ]),
      "first wrong values": ofAll(firstInvalidDrafts),
      "first ways of writing parameters": () => firstStyleCases(context, reads),
      "ways of writing parameters": ofEach(styleDrafts),
      "refused ways of writing parameters": ofEach((_context, method) => [
        ...refusedStyleDrafts(context, method),
        ...excludedStyleDrafts(context, method),
      ]),
      "documented errors": ofEach(declaredErrorDrafts),
      lists: ofEach(listPropertyDrafts),
      relations: ofEach(relationDrafts),
      "wrong values": ofAll(invalidDrafts),
      // By itself: other calls of the same methods would come between. Late for methods of which two results are known by then alone.
      "calls in turn": length > fewOperations ? () => [] : ofEach(turnDrafts),
      "calls in turn, late": length > manyMethods ? () => [] : ofEach(turnDrafts),
      bounds: ofEach(boundaryDrafts),
      "random values": ofEach(randomDrafts),
      protocol: () => protocolCases(context),
      batches: () => batchDrafts(context).map(protocolCase),
      "described relations": () => planDescribed(context),
    },
  };
}

/** Two calls of a method in turn. */
function turnDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  return valuePropertyDrafts(context, method, ownResultProperty);
}

type DraftsOf = (context: RpcContext, method: SuiteRpcMethod) => Iterable<RpcDraft>;

function exampleDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  return orderedExamples(method).map((example) => exampleDraft(context, method, example));
}

/** Two methods tell whether parameters are taken in the other way at all: one alone may be the one that does not. */
function firstStyleCases(context: RpcContext, reads: (method: SuiteRpcMethod) => boolean): readonly PlannedCase[] {
  const cases: PlannedCase[] = [];
  for (const method of judgedMethods(context).filter(reads)) {
    cases.push(...planCases(context, method, styleDrafts(context, method)));
    if (cases.length === 2) break;
  }
  return cases;
}

function protocolCases(context: RpcContext): readonly PlannedCase[] {
  const call = findPlainCall(context);
  const ofCall =
    call === undefined
      ? []
      : [...callDrafts(context, call), firstBatchDraft(context, call), ...keyDrafts(context, call)];
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
