import { canonicalText } from "@nodewright/api-model";
import { interleave } from "@nodewright/api-values";
import type { Place } from "../suite/suite-type.ts";
import { type Finding, finding, uniqueFindings } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { Attempt, NoValue } from "./attempt.ts";
import { knowledgeOf } from "./knowledge.ts";
import { withNestedRoles } from "./nested-parameters.ts";
import type { Input, Operation, OperationDescription } from "./operation.ts";
import type { Check, Knowledge, Problem, Property } from "./property.ts";

/** A case of a property, before a protocol adds it to a run. */
export interface PropertyCase {
  /** kebab-case, unique among the cases of the operation. */
  readonly name: string;
  readonly rule: Rule;
  readonly expected: string;
  /** Distinct inputs of the first calls, if the property holds. */
  readonly inputs: readonly Input[];
  /** Maximum number of later calls with other inputs. */
  readonly furtherCalls: number;
  /** Whether a failure has to be confirmed before it counts. */
  readonly isLive: boolean;
  play(play: CasePlay): Promise<readonly Finding[]>;
}

/** Number of repetitions that have to confirm a problem before it is reported: flaky values rarely repeat that often. */
const confirmations = 3;

/**
 * Plans the cases of properties for an operation; none where no call of it had a value. `together`: one case for each property, whose
 * checks make their calls at the same time, for protocols that support several calls in one request.
 */
export function planProperties(
  operation: Operation,
  properties: readonly Property[],
  together: boolean,
): readonly PropertyCase[] {
  const { operation: nested, nest } = withNestedRoles(operation);
  const knowledge = knowledgeOf(nested);
  if (knowledge === undefined) return [];
  // With few calls, no property uses up the calls of another.
  return interleave(
    properties.map(({ rule, name, checks }) => {
      const all = [...checks(knowledge)];
      const groups = together && all.length > 0 ? [all] : all.map((check) => [check]);
      return groups.map((group): PropertyCase => {
        const play: PropertyCase["play"] = (on) => playChecks({ knowledge, rule, play: on }, group);
        const planned = caseOf({ name, rule }, group, together, play);
        return { ...planned, inputs: planned.inputs.map(nest) };
      });
    }),
  );
}

/** Returns the case of checks that are run together. */
export function caseOf(
  property: Pick<Property, "name" | "rule">,
  group: readonly Pick<Check, "name" | "rule" | "expected" | "inputs" | "furtherCalls" | "isFinal">[],
  together: boolean,
  play: PropertyCase["play"],
): PropertyCase {
  const inputs = new Map(group.flatMap((one) => one.inputs).map((input) => [canonicalText(input), input]));
  return {
    name: together ? property.name : (group[0]?.name ?? property.name),
    rule: group[0]?.rule ?? property.rule,
    expected: [...new Set(group.map(({ expected }) => expected))].join("; "),
    inputs: [...inputs.values()],
    furtherCalls: group.reduce((sum, one) => sum + (one.furtherCalls ?? 0), 0),
    isLive: group.every(({ isFinal }) => isFinal !== true),
    play,
  };
}

interface Played {
  readonly knowledge: Knowledge;
  readonly rule: Rule;
  readonly play: CasePlay;
}

/** Problems of each check in one attempt. */
type Found = ReadonlyMap<Check, readonly Problem[]>;

/** Runs checks and repeats those with problems. Does not report problems of lists that change in the meantime. */
async function playChecks({ knowledge, rule, play }: Played, checks: readonly Check[]): Promise<readonly Finding[]> {
  const { operation } = knowledge;
  const first = new Attempt(operation, play, checks, { allowsEarlier: true });
  let found = await verifyAll(checks, first);
  if (checks.length === 1 && first.wasRefused && found.size === 0 && [...first.findings].length === 0)
    play.skip("The target refuses the parameters together that the check needs");
  const repeated = [...found].filter(([check]) => check.isRepeated === true);
  found = new Map([...found].filter(([check]) => check.isRepeated !== true));
  let previous: Attempt | undefined;
  const findings = [...first.findings];
  for (let round = 0; round < confirmations && found.size > 0; round += 1) {
    const again = new Attempt(operation, play, [...found.keys()], { allowsEarlier: false });
    const still = await verifyAll([...found.keys()], again);
    found = new Map(
      [...found].flatMap(([check, problems]): readonly (readonly [Check, readonly Problem[]])[] => {
        const messages = new Set(still.get(check)?.map(({ message }) => message));
        const kept = problems.filter(({ message }) => messages.has(message));
        const isSteady = previous === undefined || isSame(knowledge, check, previous, again);
        return kept.length > 0 && isSteady ? [[check, kept]] : [];
      }),
    );
    findings.push(...again.findings);
    previous = again;
  }
  for (const [{ parameter, guess, rule: own = rule }, problems] of [...repeated, ...found]) {
    const place = parameter === undefined ? operation.place : (parameter.place ?? parameter.type.place);
    for (const problem of problems) findings.push(findingOf(operation, own, problem, place, guess));
  }
  return uniqueFindings(findings);
}

async function verifyAll(checks: readonly Check[], attempt: Attempt): Promise<Found> {
  const all = await Promise.all(checks.map(async (check) => [check, await verify(check, attempt)] as const));
  return new Map(all.filter(([, problems]) => problems.length > 0));
}

/** Verifies a check for each of the objects that its operation returns values of. */
async function verify(check: Check, attempt: Attempt): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (let row = 0; row === 0 || row < attempt.rows; row += 1) {
    try {
      problems.push(...(await check.verify(attempt.callerOf(check, row))));
    } catch (reason) {
      if (!(reason instanceof NoValue)) throw reason;
      if (reason.isRefused) attempt.wasRefused = true;
    }
  }
  return problems;
}

/** Whether the calls of a check returned the same in two attempts. */
function isSame({ isSameList, differencesOf }: Knowledge, check: Check, left: Attempt, right: Attempt): boolean {
  const [before, after] = [left.resultsOf(check), right.resultsOf(check)];
  return (
    before.length === after.length &&
    before.every(({ value, page }, index) =>
      check.isWhole === true
        ? differencesOf(value, after[index]?.value).length === 0
        : isSameList(page?.items ?? [], after[index]?.page?.items ?? []),
    )
  );
}

/** Returns the finding of a problem. */
export function findingOf(
  { subject }: OperationDescription,
  rule: Rule,
  { message, detail, pointer, isUnsure, rule: own = rule }: Problem,
  place: Place | undefined,
  guess?: string,
): Finding {
  const text = subject === undefined ? message : `${subject}: ${message}`;
  return finding(isUnsure === true ? { ...own, isWeak: true } : own, text, detail, { pointer, place, guess });
}
