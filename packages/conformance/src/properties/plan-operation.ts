import type { PlainRequest } from "../contract/exchange.ts";
import { type CaseDraft, type PlannedCase, protocolCase } from "../contract/planned-case.ts";
import type { ProtocolPlan, StageName } from "../contract/protocol-plan.ts";
import type { Session } from "../session/session.ts";
import { boundaries, onlyRequired } from "./boundary.ts";
import { type FailingOperation, planDeclaredErrors } from "./declared-error.ts";
import { effectProperty } from "./effect.ts";
import type { ShownOperation } from "./example.ts";
import type { InputCase, InputOperation } from "./input-operation.ts";
import { furtherInvalidInputs, certainInvalidInputs } from "./invalid-input.ts";
import { foundCalls, probableCalls, type LiveOperation, neverAccepted } from "./live-calls.ts";
import { type LookupOperation, planNotFound } from "./not-found.ts";
import type { CheckedResponse, Input, Operation } from "./operation.ts";
import { ownResultProperty } from "./own-result.ts";
import { planProperties, type PropertyCase } from "./plan-properties.ts";
import { planRelations } from "./plan-relations.ts";
import { crossProperties, listProperties } from "./properties.ts";
import type { Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";
import { randomInputs } from "./random-input.ts";

/** Subject of a property: lists and the parameters that select a part of them, complete values, or relations of several operations. */
export type Aspect = "lists" | "values" | "relations";

/** An operation whose cases an adapter adds to a run. */
export interface CheckedOperation extends InputOperation {
  readonly session: Session;
  readonly writes: boolean;
  /** Whether invalid values are also sent where no valid input is known. */
  readonly isCheckedWithoutBase?: boolean;
  /** Operation of its cases in reports, where it differs from the name. */
  readonly standsUnder?: string;
  /** Returns the first request of a case, if it is known. */
  previewOf(draft: CaseDraft): PlainRequest | undefined;
  /** Returns a case in the form of its protocol. */
  adapted?(draft: CaseDraft): CaseDraft;
}

/**
 * An operation as an adapter describes it, with one request for each call: the cases of all properties are created from it. Differences
 * between protocols are data of this type.
 */
export interface PlannedOperation extends CheckedOperation, LiveOperation {
  /** The base without optional values, where it may have some. */
  readonly bare?: Input;
  readonly documented: ShownOperation;
  /** Returns the operation as properties of an aspect see it. */
  asSeen(aspect: Aspect): Operation;
  /** Returns the lookup of the operation; undefined where it looks nothing up. */
  lookupOf(base: Input): Omit<LookupOperation, "types" | "place" | "base" | "random"> | undefined;
  /** Returns the failures that the description declares for invalid inputs; undefined where none can be triggered. */
  failuresOf(): Pick<FailingOperation, "parameters" | "failures" | "call"> | undefined;
  /** Returns the outcomes of its calls so far, without those that fail in examples. */
  tried(): readonly CheckedResponse["kind"][];
}

/** Returns cases of an operation, from the facts that are known when its stage begins. */
export type Planner<Of = PlannedOperation> = (operation: Of) => Iterable<CaseDraft>;

export type StageTable<Of = PlannedOperation> = Partial<Readonly<Record<StageName, readonly Planner<Of>[]>>>;

/** Plans the cases of stages, grouped by operation. */
export function planStages<Of extends CheckedOperation>(
  operations: () => readonly Of[],
  stages: StageTable<Of>,
): ProtocolPlan["planners"] {
  return Object.fromEntries(
    Object.entries(stages).map(([name, planners]) => [name, () => planCases(operations(), planners)]),
  );
}

export function planCases<Of extends CheckedOperation>(
  operations: readonly Of[],
  planners: readonly Planner<Of>[],
): readonly PlannedCase[] {
  return operations.flatMap((one) =>
    planners.flatMap((planner) => [...planner(one)].map((draft) => caseOf(one, draft))),
  );
}

/** Adds a case of an operation to a run. */
function caseOf(operation: CheckedOperation, draft: CaseDraft): PlannedCase {
  const { name, standsUnder = name, writes } = operation;
  const { input: _input, sent: _sent, ...rest } = operation.adapted?.(draft) ?? draft;
  const preview = operation.previewOf(draft);
  return protocolCase({ ...rest, operation: standsUnder, writes, ...(preview && { preview: [preview] }) });
}

/** Stages with the same cases for operations of all protocols. */
export const usualStages: StageTable = {
  "found values, round 1": [found(1)],
  "found values, round 2": [found(2)],
  "found values, round 3": [found(3)],
  "calls that are always refused": [(operation) => neverAccepted(operation, operation.tried()).map(liveDraft)],
  "documented errors": [planDeclared],
  lists: [planLists],
  "random values": [planRandom],
};

/** Stages with the same cases for operations that only read. */
export const readingStages: StageTable = {
  "made-up values": [(operation) => probableCalls(operation).map(liveDraft)],
  "calls in turn": [planInterleaved],
};

/** Plans the documented requests. */
export function planShown({ documented }: PlannedOperation): readonly CaseDraft[] {
  return documented.run.casesOf(documented);
}

/** Plans comparisons of documented values with returned ones. */
export function planAsShown({ documented }: PlannedOperation): readonly CaseDraft[] {
  return documented.run.shownCasesOf(documented);
}

export function found(round: number): Planner {
  return (operation) => foundCalls(operation, round).map(liveDraft);
}

/** Plans a call without optional parameters. */
export function planOnlyRequired(operation: PlannedOperation): readonly CaseDraft[] {
  return onlyRequired({ ...operation, base: operation.bare ?? operation.base }).map(liveDraft);
}

export function planBoundaries(operation: CheckedOperation): readonly CaseDraft[] {
  return boundaries(operation).map(liveDraft);
}

/** Plans inputs that have to be accepted according to the description. */
export function planDocumentedBounds(operation: PlannedOperation): readonly CaseDraft[] {
  return planBoundaries(operation).filter(({ rule }) => rule === propertyRules.validInput);
}

function liveDraft(one: InputCase): CaseDraft {
  return { ...one, isLive: true };
}

export function planRandom(operation: CheckedOperation): readonly CaseDraft[] {
  const { session, name, standsUnder = name } = operation;
  return randomInputs(operation, session, standsUnder);
}

/** Plans the most important invalid inputs. */
export const planCertainInvalid: Planner<CheckedOperation> = (operation) =>
  planInvalid(operation, certainInvalidInputs);

export const planFurtherInvalid: Planner<CheckedOperation> = (operation) =>
  planInvalid(operation, furtherInvalidInputs);

function planInvalid(
  operation: CheckedOperation,
  plan: (operation: CheckedOperation) => readonly InputCase[],
): readonly CaseDraft[] {
  return operation.base === undefined && operation.isCheckedWithoutBase !== true ? [] : plan(operation);
}

/** Plans calls for objects that do not exist. */
export function planAbsent(operation: PlannedOperation): readonly CaseDraft[] {
  const { base, name } = operation;
  const lookup = base && operation.lookupOf(base);
  if (base === undefined || lookup === undefined) return [];
  const random = operation.session.random.fork(`${name}/negative`);
  return planNotFound({ ...operation, ...lookup, base, random });
}

/** Plans calls that trigger the failures that an operation declares. */
export function planDeclared(operation: PlannedOperation): readonly CaseDraft[] {
  const { base, name, live, types } = operation;
  const failures = operation.failuresOf();
  if (base === undefined || failures === undefined) return [];
  const good = live.goodInputsOf(name);
  return [...planDeclaredErrors({ ...failures, types, base, good })];
}

/** Plans the properties of lists, for an operation that returns one. */
export function planLists(operation: PlannedOperation): readonly CaseDraft[] {
  return planAspect(operation, "lists", [...listProperties, effectProperty]);
}

/** Returns a planner of properties of any returned value. */
export function planValues(...properties: readonly Property[]): Planner {
  return (operation) => planAspect(operation, "values", properties);
}

/** Plans two alternating calls of an operation. */
export function planInterleaved(operation: PlannedOperation): readonly CaseDraft[] {
  return planAspect(operation, "values", [ownResultProperty]);
}

function planAspect(
  operation: PlannedOperation,
  aspect: Aspect,
  properties: readonly Property[],
): readonly CaseDraft[] {
  return planSeen(operation, operation.asSeen(aspect), properties);
}

/** Plans properties of an operation as they see it. */
export function planSeen(
  operation: CheckedOperation,
  asSeen: Operation,
  properties: readonly Property[],
): readonly CaseDraft[] {
  return planProperties(asSeen, properties, operation.isBatched).map((one) => relationDraft(operation, one));
}

/** Plans the relations between operations. */
export function planBetween(operations: readonly PlannedOperation[]): readonly PlannedCase[] {
  return planBetweenSeen(operations.map((operation) => [operation, operation.asSeen("relations")]));
}

/** Plans the relations between operations as they see them. */
export function planBetweenSeen(
  operations: readonly (readonly [CheckedOperation, Operation])[],
): readonly PlannedCase[] {
  const bySeen = new Map(operations.map(([operation, asSeen]) => [asSeen, operation]));
  const isBatched = operations.some(([operation]) => operation.isBatched);
  return planRelations([...bySeen.keys()], crossProperties, isBatched).flatMap((one) => {
    const operation = bySeen.get(one.operation);
    return operation === undefined ? [] : [caseOf(operation, relationDraft(operation, one))];
  });
}

/** Number of calls of each input that a case may make to confirm a problem. */
const attempts = 4;
/** Maximum number of calls in one request, where a protocol supports several. */
const mostTogether = 12;

function requestsFor(calls: number): number {
  return Math.ceil(calls / mostTogether);
}

function relationDraft(
  operation: CheckedOperation,
  { name, rule, expected, inputs, furtherCalls, isLive, play }: PropertyCase,
): CaseDraft {
  const unknown = inputs.filter((input) => !operation.wasSent(input));
  const { isBatched } = operation;
  const [input] = inputs;
  return {
    ...{ group: "relation", name, rule, expected, isLive, play },
    requests: isBatched
      ? requestsFor(inputs.length) + requestsFor(furtherCalls) + 1
      : attempts * (inputs.length + furtherCalls),
    ...(isBatched ? {} : { usualRequests: unknown.length + furtherCalls }),
    ...(input === undefined ? {} : { input }),
  };
}
