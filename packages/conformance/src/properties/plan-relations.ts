import { isRecord } from "@nodewright/api-model";
import { type Finding, uniqueFindings } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { inferLookups } from "../inference/lookups.ts";
import { Attempt, NoValue } from "./attempt.ts";
import type { Input, Operation } from "./operation.ts";
import { caseOf, findingOf, type PropertyCase } from "./plan-properties.ts";
import type { CrossCall, CrossCheck, CrossOutcome, CrossProperty, Problem } from "./property.ts";

/** A case of a relation between operations, with the operation that it belongs to. */
export interface RelationCase extends PropertyCase {
  readonly operation: Operation;
}

/** Number of repetitions that have to confirm a problem: flaky values rarely repeat that often. */
const confirmations = 5;

/** Plans the cases of relations between operations. `together`: one case for each property and operation, as in `planProperties`. */
export function planRelations(
  operations: readonly Operation[],
  properties: readonly CrossProperty[],
  together: boolean,
): readonly RelationCase[] {
  const lookups = operations
    .filter(({ known }) => known.length === 0 || known.some(({ value }) => isRecord(value)))
    .flatMap((operation) => inferLookups(operation));
  return properties.flatMap(({ name, rule, checks }) => {
    const all = [...checks({ operations, lookups })];
    const groups = together
      ? [...Map.groupBy(all, ({ operation }) => operation).values()]
      : all.map((check) => [check]);
    return groups.flatMap((group): readonly RelationCase[] => {
      const operation = group[0]?.operation;
      if (operation === undefined) return [];
      return [{ operation, ...caseOf({ name, rule }, group, together, (play) => playChecks(play, group, rule)) }];
    });
  });
}

/** Problems of each check in one attempt. */
type Found = ReadonlyMap<CrossCheck, readonly Problem[]>;

async function playChecks(play: CasePlay, checks: readonly CrossCheck[], rule: Rule): Promise<readonly Finding[]> {
  const findings = new Set<Finding>();
  let found = await verifyAll(play, checks, findings, true);
  // Earlier results may be outdated: from here on the problems have to be the same each time.
  if (found.size > 0) found = await verifyAll(play, [...found.keys()], findings, false);
  const moving = new Map([...found.keys()].map((check) => [check, new Moving()]));
  const note = (some: Found): void => {
    for (const [check, problems] of some) moving.get(check)?.note(problems);
  };
  note(found);
  for (let round = 1; round < confirmations && found.size > 0; round += 1) {
    const again = await verifyAll(play, [...found.keys()], findings, false);
    note(again);
    found = new Map(
      [...found].flatMap(([check, problems]): readonly (readonly [CrossCheck, readonly Problem[]])[] => {
        const keys = new Set(again.get(check)?.map(keyOf));
        const still = problems.filter((one) => keys.has(keyOf(one)) && moving.get(check)?.has(one) !== true);
        return still.length === 0 ? [] : [[check, still]];
      }),
    );
  }
  for (const [check, problems] of found) {
    for (const problem of problems) {
      const place = problem.place ?? check.place ?? check.operation.place;
      findings.add(findingOf(check.operation, check.rule ?? rule, problem, place, check.guess));
    }
  }
  return uniqueFindings([...findings]);
}

function keyOf({ message, detail, object }: Problem): string {
  return `${message}\n${detail ?? ""}\n${object ?? ""}`;
}

/** Members of an object that change between attempts. They are not compared for any object. */
class Moving {
  #before = new Map<string, string>();
  readonly #messages = new Set<string>();

  /** Records the problems of one attempt. */
  note(problems: readonly Problem[]): void {
    const details = new Map<string, string>();
    for (const { message, object, detail = "" } of problems.toSorted((left, right) =>
      keyOf(left) < keyOf(right) ? -1 : 1,
    )) {
      const key = `${message}\n${object}`;
      if (object !== undefined) details.set(key, `${details.get(key) ?? ""}\n${detail}`);
    }
    for (const { message, object } of problems) {
      const key = `${message}\n${object}`;
      const before = this.#before.get(key);
      if (before !== undefined && before !== details.get(key)) this.#messages.add(message);
    }
    this.#before = details;
  }

  has({ message }: Problem): boolean {
    return this.#messages.has(message);
  }
}

/** Verifies checks at the same time: their calls of one operation are made together. */
async function verifyAll(
  play: CasePlay,
  checks: readonly CrossCheck[],
  findings: Set<Finding>,
  allowsEarlier: boolean,
): Promise<Found> {
  const attempts = new Map<Operation, Attempt>();
  const call = async (operation: Operation, ...inputs: readonly Input[]): Promise<readonly CrossOutcome[]> => {
    const attempt = attempts.get(operation) ?? new Attempt(operation, play, [], { allowsEarlier, mayBeAbsent: true });
    attempts.set(operation, attempt);
    return await Promise.all(inputs.map(async (input) => await outcomeOf(attempt, input)));
  };
  const all = await Promise.all(checks.map(async (check) => [check, await check.verify(call as CrossCall)] as const));
  for (const attempt of attempts.values()) for (const finding of attempt.findings) findings.add(finding);
  return new Map(all.filter(([, problems]) => problems.length > 0));
}

async function outcomeOf(attempt: Attempt, input: Input): Promise<CrossOutcome> {
  try {
    const result = await attempt.resultOf(input, 0);
    return result.value === null ? { isAbsent: true } : result;
  } catch (reason) {
    if (!(reason instanceof NoValue)) throw reason;
    return { isAbsent: reason.isAbsent };
  }
}
