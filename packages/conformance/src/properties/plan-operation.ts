import type { PlainRequest } from "../contract/exchange.ts";
import { type CaseDraft, type PlannedCase, protocolCase } from "../contract/planned-case.ts";
import type { ProtocolPlan, StageName } from "../contract/protocol-plan.ts";
import type { Session } from "../session/session.ts";
import { boundaries, onlyRequired } from "./boundary.ts";
import { type FailingOperation, planDeclaredErrors } from "./declared-error.ts";
import { effectProperty } from "./effect.ts";
import type { ShownOperation } from "./example.ts";
import type { InputCase, InputOperation } from "./input-operation.ts";
import { furtherInvalidInputs, tellingInvalidInputs } from "./invalid-input.ts";
import { foundCalls, likelyCalls, type LiveOperation, neverAccepted } from "./live-calls.ts";
import { type LookupOperation, planNotFound } from "./not-found.ts";
import type { CheckedResponse, Input, Operation } from "./operation.ts";
import { ownResultProperty } from "./own-result.ts";
import { planProperties, type PropertyCase } from "./plan-properties.ts";
import { planRelations } from "./plan-relations.ts";
import { crossProperties, listProperties } from "./properties.ts";
import type { Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";
import { randomInputs } from "./random-input.ts";

/** What a property is about: lists and what picks a part of them, all of a value, or several operations. */
export type Aspect = "lists" | "values" | "relations";

/** An operation whose cases an adapter puts into a run. */
export interface CheckedOperation extends InputOperation {
  readonly session: Session;
  readonly writes: boolean;
  /** True: invalid values are sent as well where no valid input is known. */
  readonly isCheckedWithoutBase?: boolean;
  /** What its cases stand under, where that is not its name. */
  readonly standsUnder?: string;
  /** The first request of a case, where it is known. */
  previewOf(draft: CaseDraft): PlainRequest | undefined;
  /** Returns a case as its protocol has it. */
  adapted?(draft: CaseDraft): CaseDraft;
}

/**
 * An operation as an adapter describes it, each of whose calls is a request of its own: the cases of all properties are made of it. What
 * differs between protocols is data of it.
 */
export interface PlannedOperation extends CheckedOperation, LiveOperation {
  /** The base without what is optional, where that may have some. */
  readonly bare?: Input;
  readonly documented: ShownOperation;
  /** The operation as properties of an aspect see it. */
  asSeen(aspect: Aspect): Operation;
  /** What it looks up; undefined where it looks nothing up. */
  lookupOf(base: Input): Omit<LookupOperation, "types" | "place" | "base" | "random"> | undefined;
  /** The failures that the description declares for invalid inputs; undefined where none can be triggered. */
  failuresOf(): Pick<FailingOperation, "parameters" | "failures" | "call"> | undefined;
  /** What came of its calls so far, without those that the description shows to fail. */
  tried(): readonly CheckedResponse["kind"][];
}

/** Returns cases of an operation: of what is known of it when its stage begins. */
export type Planner<Of = PlannedOperation> = (operation: Of) => Iterable<CaseDraft>;

export type StageTable<Of = PlannedOperation> = Partial<Readonly<Record<StageName, readonly Planner<Of>[]>>>;

/** Plans the cases of stages, those of each operation together. */
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

/** Puts a case of an operation into a run. */
function caseOf(operation: CheckedOperation, draft: CaseDraft): PlannedCase {
  const { name, standsUnder = name, writes } = operation;
  const { input: _input, sent: _sent, ...rest } = operation.adapted?.(draft) ?? draft;
  const preview = operation.previewOf(draft);
  return protocolCase({ ...rest, operation: standsUnder, writes, ...(preview && { preview: [preview] }) });
}

/** Stages in which operations of all protocols have the same cases. */
export const usualStages: StageTable = {
  "found values, round 1": [found(1)],
  "found values, round 2": [found(2)],
  "found values, round 3": [found(3)],
  "calls that are always refused": [(operation) => neverAccepted(operation, operation.tried()).map(liveDraft)],
  "documented errors": [planDeclared],
  lists: [planLists],
  "random values": [planRandom],
};

/** The same of operations that read. */
export const readingStages: StageTable = {
  "made-up values": [(operation) => likelyCalls(operation).map(liveDraft)],
  "calls in turn": [planTurns],
};

/** Plays the documented requests. */
export function planShown({ documented }: PlannedOperation): readonly CaseDraft[] {
  return documented.run.casesOf(documented);
}

/** Compares documented values with returned ones. */
export function planAsShown({ documented }: PlannedOperation): readonly CaseDraft[] {
  return documented.run.shownCasesOf(documented);
}

export function found(round: number): Planner {
  return (operation) => foundCalls(operation, round).map(liveDraft);
}

/** What is optional may be left out. */
export function planOnlyRequired(operation: PlannedOperation): readonly CaseDraft[] {
  return onlyRequired({ ...operation, base: operation.bare ?? operation.base }).map(liveDraft);
}

export function planBoundaries(operation: CheckedOperation): readonly CaseDraft[] {
  return boundaries(operation).map(liveDraft);
}

/** Inputs that have to be accepted as the description says. */
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

/** The most telling invalid inputs. */
export const planTellingInvalid: Planner<CheckedOperation> = (operation) =>
  planInvalid(operation, tellingInvalidInputs);

export const planFurtherInvalid: Planner<CheckedOperation> = (operation) =>
  planInvalid(operation, furtherInvalidInputs);

function planInvalid(
  operation: CheckedOperation,
  plan: (operation: CheckedOperation) => readonly InputCase[],
): readonly CaseDraft[] {
  return operation.base === undefined && operation.isCheckedWithoutBase !== true ? [] : plan(operation);
}

/** Calls for things that do not exist. */
export function planAbsent(operation: PlannedOperation): readonly CaseDraft[] {
  const { base, name } = operation;
  const lookup = base && operation.lookupOf(base);
  if (base === undefined || lookup === undefined) return [];
  const random = operation.session.random.fork(`${name}/negative`);
  return planNotFound({ ...operation, ...lookup, base, random });
}

/** Triggers the failures that an operation declares. */
export function planDeclared(operation: PlannedOperation): readonly CaseDraft[] {
  const { base, name, live, types } = operation;
  const failures = operation.failuresOf();
  if (base === undefined || failures === undefined) return [];
  const good = live.goodInputsOf(name);
  return [...planDeclaredErrors({ ...failures, types, base, good })];
}

/** The properties of lists, of an operation that returns one. */
export function planLists(operation: PlannedOperation): readonly CaseDraft[] {
  return planAspect(operation, "lists", [...listProperties, effectProperty]);
}

/** Properties of what is returned, whatever it is. */
export function planValues(...properties: readonly Property[]): Planner {
  return (operation) => planAspect(operation, "values", properties);
}

/** Two calls of an operation in turn. */
export function planTurns(operation: PlannedOperation): readonly CaseDraft[] {
  return planAspect(operation, "values", [ownResultProperty]);
}

function planAspect(
  operation: PlannedOperation,
  aspect: Aspect,
  properties: readonly Property[],
): readonly CaseDraft[] {
  return planSeen(operation, operation.asSeen(aspect), properties);
}

/** Properties of an operation as they see it. */
export function planSeen(
  operation: CheckedOperation,
  asSeen: Operation,
  properties: readonly Property[],
): readonly CaseDraft[] {
  return planProperties(asSeen, properties, operation.isBatched).map((one) => relationDraft(operation, one));
}

/** The relations between operations. */
export function planBetween(operations: readonly PlannedOperation[]): readonly PlannedCase[] {
  return planBetweenSeen(operations.map((operation) => [operation, operation.asSeen("relations")]));
}

/** The relations between operations as they see them. */
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

/** Calls of each input that a case may make to look at a problem again. */
const attempts = 4;
/** Calls in one request, where a protocol takes several. */
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
