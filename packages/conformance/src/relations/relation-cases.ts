import { canonicalText } from "@nodewright/api-model";
import { finding } from "../contract/finding.ts";
import type { CaseGroup, CasePlay, PlannedCase } from "../contract/planned-case.ts";
import { type Rule, rulesOf } from "../contract/rule.ts";
import { showValue } from "../compare/show-value.ts";
import type { ObservedResult } from "../live/live-values.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite, SuiteParameter, SuiteRelation } from "../suite/suite.ts";
import type { Place, SuiteType } from "../suite/suite-type.ts";
import {
  readRelation,
  type RelationCall,
  type RelationExpression,
  type RelationOutcome,
  type RelationScope,
} from "./relation-expression.ts";
import { Interruption } from "../client/interruption.ts";
import { refusalOfOperation } from "../safety/safety.ts";

/** Rules for the relations of a description. */
export const relationRules: Readonly<Record<"holds", Rule>> = rulesOf({
  holds: "X01 | MUST | A relation between responses that the description states holds | x-relations of the description",
});

type Input = Readonly<Record<string, unknown>>;

/** Result of an operation, in any protocol. */
export type OperationOutcome =
  /** `isBroken`: it does not conform to the description. */
  | {
      readonly kind: "value";
      readonly value: unknown;
      readonly type?: SuiteType | undefined;
      readonly isBroken: boolean;
    }
  /** `code`: HTTP status, JSON-RPC code or GraphQL code. */
  | { readonly kind: "failure"; readonly code: string }
  /** The target does not offer the operation, or its response cannot be read; `problem` is one clause. */
  | { readonly kind: "nothing"; readonly problem: string };

/** Access of relations to the operations of one protocol. */
export interface RelationTarget {
  readonly session: Session;
  /** Whether the suite has an operation of this name. */
  has(operation: string): boolean;
  /** Whether the description declares that the operation always returns the same for the same input. */
  isImmutable(operation: string): boolean;
  /** Calls an operation that only reads. */
  callOperation(play: CasePlay, operation: string, input: Input): Promise<OperationOutcome>;
  /** Another interface of the same data: `$other`. */
  readonly other?: RelationTarget;
}

/** Group and rule of cases of relations: those of the description by default. */
export interface RelationKind {
  readonly group: CaseGroup;
  readonly rule: Rule;
}

/** Parts of an operation that its relations need. */
export interface RelatedOperation {
  readonly name: string;
  readonly relations: readonly SuiteRelation[];
  readonly place?: Place;
}

/** Maximum number of responses for which a relation is checked, and of those that are tried. */
const checkedResults = 3;
const triedResults = 8;

const described: RelationKind = { group: "relation", rule: relationRules.holds };

/** Plans a case for each relation of an operation, which checks successful responses of it. */
export function planRelations(
  target: RelationTarget,
  operation: RelatedOperation,
  kind: RelationKind = described,
): readonly PlannedCase[] {
  return operation.relations.map((relation) => ({
    id: `${operation.name}/${kind.group}/${relation.name}`,
    operation: operation.name,
    group: kind.group,
    rule: kind.rule,
    expected: relation.because ?? `that the relation "${relation.name}" holds`,
    writes: !target.session.safety.of(operation.name).isSafe,
    requests: 0,
    isLive: true,
    play: async (play) => {
      const broken = await findBroken(target, operation, relation, play);
      const reason = relation.because === undefined ? "" : `: ${relation.because}`;
      const detail = `for the input ${showValue(broken?.input)}, ${relation.holds.replaceAll(/\s+/g, " ").trim()}`;
      const place = relation.place ?? operation.place;
      return broken === undefined
        ? []
        : [finding(kind.rule, `The relation "${relation.name}" does not hold${reason}`, detail, { place })];
    },
  }));
}

/** Returns a response for which a relation does not hold. */
async function findBroken(
  target: RelationTarget,
  operation: RelatedOperation,
  relation: SuiteRelation,
  play: CasePlay,
): Promise<ObservedResult | undefined> {
  const expression = readRelation(relation);
  if ("problem" in expression) return play.skip(`The relation can't be evaluated: ${expression.problem}`);
  const missing = expression.called.find((name) => !target.has(name));
  if (missing !== undefined) return play.skip(`The description has no operation ${missing}`);
  let held = 0;
  let reason = "the operation has no valid response";
  for (const response of distinctiveResults(target.session.live.resultsOf(operation.name))) {
    const outcome = await checkResult(target, expression, response, play);
    if (outcome.kind === "broken") return response;
    if (outcome.kind === "holds") held += 1;
    if (outcome.kind === "unclear") reason = outcome.reason;
    if (held === checkedResults) break;
  }
  return held > 0 ? undefined : play.skip(`The relation can't be evaluated: ${reason}`);
}

/** Returns the responses to check: the first one, which is that of an example, then those with the most values. */
function distinctiveResults(responses: readonly ObservedResult[]): readonly ObservedResult[] {
  const [first, ...others] = responses;
  if (first === undefined) return [];
  const sized = others.map((response) => ({ response, size: sizeOf(response.value) }));
  const ordered = sized.toSorted((left, right) => right.size - left.size).map(({ response }) => response);
  return [first, ...ordered].slice(0, triedResults);
}

/** Returns the number of elements and members in the outer levels. */
function sizeOf(value: unknown, depth: number = 3): number {
  if (typeof value !== "object" || value === null) return 1;
  const members = Object.values(value);
  return depth === 0 ? members.length : members.slice(0, 100).reduce((sum, one) => sum + sizeOf(one, depth - 1), 1);
}

/**
 * Checks a relation for a response. Repeats the call before it reports a failure: the response may be older than those that it is compared
 * with.
 */
async function checkResult(
  target: RelationTarget,
  expression: RelationExpression,
  { operation, input, value }: ObservedResult,
  play: CasePlay,
): Promise<RelationOutcome> {
  try {
    const first = await expression.evaluate({ response: value, input, ...callersOf(target, play, true) });
    if (first.kind !== "broken") return first;
    const now = callersOf(target, play, false);
    return await expression.evaluate({ response: await now.call(operation, input), input, ...now });
  } catch (reason) {
    if (reason instanceof MissingResult) return { kind: "unclear", reason: reason.message };
    throw reason;
  }
}

/** Ends an evaluation that lacks a response. */
class MissingResult extends Error {}

function callersOf(
  target: RelationTarget,
  play: CasePlay,
  mayRemember: boolean,
): Pick<RelationScope, "call" | "other"> {
  const call = callerOf(target, play, mayRemember);
  return target.other === undefined ? { call } : { call, other: callerOf(target.other, play, mayRemember) };
}

/** Returns the function `$call`. `mayRemember`: immutable results are not requested again. */
function callerOf(target: RelationTarget, play: CasePlay, mayRemember: boolean): RelationCall {
  const { safety, options, live } = target.session;
  return async (operation, input) => {
    if (!target.has(operation)) throw new MissingResult(`the description has no operation ${operation}`);
    const text = canonicalText(input);
    const seen = mayRemember && target.isImmutable(operation) ? live.resultsOf(operation) : [];
    const known = seen.find((response) => canonicalText(response.input) === text);
    if (known !== undefined) return known.value;
    const refusal = refusalOfOperation(safety.of(operation), options.allowWrites);
    if (refusal !== undefined) throw new MissingResult(`${operation} is not sent: ${refusal}`);
    const own: CasePlay = {
      ...play,
      send: (request, settings) => play.send(request, { ...settings, operations: [operation] }),
    };
    const reported = await target.callOperation(own, operation, input).catch((reason: unknown): OperationOutcome => {
      // An operation whose budget is used up is not called again.
      if (reason instanceof Interruption && reason.why.kind === "budget")
        return { kind: "nothing", problem: reason.why.text };
      throw reason;
    });
    if (reported.kind === "nothing") throw new MissingResult(reported.problem);
    if (reported.kind === "failure") throw new MissingResult(`${operation} responds with the failure ${reported.code}`);
    if (reported.isBroken) throw new MissingResult(`the response of ${operation} violates its description`);
    return reported.value instanceof Uint8Array ? Buffer.from(reported.value).toString("hex") : reported.value;
  };
}

/** Returns the mistakes in the relations of a description, one sentence each: a run reports them and continues. */
export function findRelationMistakes(suite: ConformanceSuite): readonly string[] {
  const operations = suite.protocol === "graphql" ? suite.documents : suite.operations;
  const names = new Set(operations.map(({ name }) => name));
  return operations.flatMap(({ name, relations }) =>
    relations.flatMap((relation) => {
      const expression = readRelation(relation);
      const isMissing = (called: string): boolean => !names.has(called);
      const problems =
        "problem" in expression
          ? [expression.problem]
          : expression.called.filter(isMissing).map((called) => `there is no operation ${called}`);
      const where = relation.place === undefined ? "" : ` (${relation.place})`;
      return problems.map((problem) => `The relation "${relation.name}" of ${name}${where} is left out: ${problem}`);
    }),
  );
}

interface Called {
  readonly name: string;
  readonly parameters: readonly SuiteParameter[];
  readonly isImmutable?: boolean;
}

/** Returns access of relations to operations whose input has its parameters, by their names on the wire or by property. */
export function relationTarget<Of extends Called>(
  session: Session,
  operations: readonly Of[],
  call: (play: CasePlay, operation: Of, input: Input) => Promise<OperationOutcome>,
): RelationTarget {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return {
    session,
    isImmutable: (name) => byName.get(name)?.isImmutable === true,
    has: (name) => byName.has(name),
    callOperation: async (play, name, input) => {
      const operation = byName.get(name);
      if (operation === undefined) return { kind: "nothing", problem: `there is no operation ${name}` };
      return await call(play, operation, byProperty(operation.parameters, input));
    },
  };
}

function byProperty(parameters: readonly SuiteParameter[], input: Input): Input {
  const names = parameters.flatMap(({ name, property }) => [[name, property] as const, [property, property] as const]);
  const properties = new Map(names);
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [properties.get(name) ?? name, value]));
}
