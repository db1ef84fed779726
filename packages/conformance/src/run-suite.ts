import { Sender } from "./exchange.ts";
import { planGraphqlCases } from "./graphql-cases.ts";
import { planHttpCases } from "./http-cases.ts";
import type { RunOptions } from "./options.ts";
import { type PlannedCase, playCase } from "./planned-case.ts";
import type { CaseReport, OperationReport, Report, Verdict } from "./report.ts";
import { planRpcCases } from "./rpc-cases.ts";
import type { ConformanceSuite } from "./suite.ts";

const usualConcurrency = 4;

/**
 * Plays a suite against a server and reports every case. It throws only for what the suite or the options get wrong: a server
 * that does not answer fails each case.
 */
export async function runSuite(suite: ConformanceSuite, options: RunOptions): Promise<Report> {
  assertBaseUrl(options.baseUrl);
  const sender = new Sender(options, suite.key);
  const planned = planCases(suite, sender, options);
  const cases = await playAll(planned, sender, options.concurrency ?? usualConcurrency);
  const totals = countVerdicts(cases);
  return {
    suite: suite.name,
    title: suite.title,
    version: suite.version,
    source: suite.source,
    baseUrl: options.baseUrl,
    operations: reportOperations(suite, cases),
    totals,
    conforms: totals.failed === 0 && totals.untested === 0,
  };
}

function assertBaseUrl(baseUrl: string): void {
  const url = URL.parse(baseUrl);
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new Error("The base URL has to be an http address without query and credentials");
  }
}

function planCases(suite: ConformanceSuite, sender: Sender, options: RunOptions): readonly PlannedCase[] {
  switch (suite.protocol) {
    case "http":
      return planHttpCases(suite, sender, options);
    case "rpc":
      return planRpcCases(suite, sender, options);
    case "graphql":
      return planGraphqlCases(suite, sender, options);
    default:
      return suite satisfies never;
  }
}

/**
 * Reports stand in the order of the plan, however the answers come in. Cases of one operation are played one after the other: a server
 * may carry out no more than one such request at a time.
 */
async function playAll(
  planned: readonly PlannedCase[],
  sender: Sender,
  concurrency: number,
): Promise<readonly CaseReport[]> {
  const reports: CaseReport[] = [];
  const queue = Map.groupBy(planned.entries(), ([, { operation }]) => operation).values();
  const work = async (): Promise<void> => {
    for (const cases of queue) {
      for (const [position, one] of cases) reports[position] = await playCase(one, sender);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  return reports;
}

function reportOperations(suite: ConformanceSuite, cases: readonly CaseReport[]): readonly OperationReport[] {
  const unprovoked = new Map(
    suite.protocol === "graphql"
      ? suite.documents.map((one) => [one.document.name, one.unprovoked])
      : suite.operations.map((one) => [one.operation.name, one.unprovoked]),
  );
  return [...Map.groupBy(cases, ({ operation }) => operation)].map(([operation, own]) => ({
    operation,
    cases: own,
    unprovoked: unprovoked.get(operation) ?? [],
  }));
}

function countVerdicts(cases: readonly CaseReport[]): Readonly<Record<Verdict, number>> {
  const totals: Record<Verdict, number> = { passed: 0, failed: 0, missing: 0, disabled: 0, untested: 0, withheld: 0 };
  for (const { verdict } of cases) totals[verdict] += 1;
  return totals;
}
