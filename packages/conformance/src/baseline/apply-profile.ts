import type { CaseReport, OperationReport, Report } from "../contract/report.ts";
import { matchesAny } from "../basics/name-pattern.ts";
import { isInClientRange } from "./client-range.ts";
import { conclude } from "./conclude.ts";
import type { Profile, ProfileOperation } from "./read-profile.ts";

/** Returns the operations that a run may find missing because of a profile: those of a verified one. */
export function missingOf({ isVerified, operations }: Profile): readonly string[] {
  return isVerified ? operations.map(({ operation }) => operation) : [];
}

/**
 * Adds the facts of a profile to a report: to missing operations, and to failures. It changes no verdict: the run itself skipped the
 * operations of a verified profile when their responses were those of missing ones.
 */
export function annotateWithProfile(report: Report, profile: Profile): Report {
  const find = createFinder(profile.operations);
  const origins = new Map(report.operations.map(({ operation, origin }) => [operation, origin]));
  const operations = report.operations.map((one): OperationReport => {
    const said = find(one.operation, one.origin);
    if (said === undefined || one.availability === "available" || one.availability === "not sent") return one;
    return { ...one, availabilityReason: joined(one.availabilityReason, wordsOf(profile, said)) };
  });
  const cases = report.cases.map((one): CaseReport => {
    if (one.verdict !== "failed" && one.verdict !== "skipped") return one;
    const said = find(one.operation, origins.get(one.operation) ?? one.operation);
    return said === undefined ? one : { ...one, reason: joined(one.reason, wordsOf(profile, said)) };
  });
  return conclude({ ...report, operations }, cases, noticesOf(report, profile));
}

/** Returns a lookup in which an exact name precedes a pattern. */
function createFinder(
  operations: readonly ProfileOperation[],
): (name: string, origin: string) => ProfileOperation | undefined {
  const exact = new Map(operations.map((one) => [one.operation, one]));
  return (name, origin) =>
    exact.get(name) ?? exact.get(origin) ?? operations.find(({ operation }) => matchesAny([operation], [name, origin]));
}

function wordsOf({ name, isVerified }: Profile, { availability, reason, source }: ProfileOperation): string {
  return `the profile ${name}${isVerified ? "" : ", which is not verified,"} calls it ${availability}: ${reason} (${source})`;
}

function joined(before: string | undefined, words: string): string {
  return before === undefined || before === "" ? words : `${before}; ${words}`;
}

function noticesOf({ target }: Report, { name, client, isVerified, notes }: Profile): readonly string[] {
  const isOther = target.client !== undefined && isInClientRange(target.client, client) === false;
  return [
    ...(isVerified ? [] : [`The profile ${name} was never verified with a running client: it hides no failure.`]),
    ...(isOther ? [`The profile ${name} is for ${client}, and the target identifies itself as ${target.client}.`] : []),
    ...notes.map((note) => `${name}: ${note}`),
  ];
}
