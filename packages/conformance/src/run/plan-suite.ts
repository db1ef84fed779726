import { type CaseGroup, type PlannedCase, protocolOperation, type Stage } from "../contract/planned-case.ts";
import { refusalOfCase, refusalOfOperation } from "../safety/safety.ts";
import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RecordedRequest } from "../contract/exchange.ts";
import { limitsOf, prerequisiteCalls, type RunLimits } from "./limits.ts";
import type { RunOptions } from "../contract/options.ts";
import { createRunTools, type RunTools } from "./run-tools.ts";
import { planStages } from "./stages.ts";

/** A case that a run would execute. */
export interface CasePlan {
  readonly id: string;
  readonly operation: string;
  readonly group: CaseGroup;
  readonly stage: string;
  readonly expected: string;
  /** Maximum number of requests. */
  readonly requests: number;
  /** Requests that are known before any response. */
  readonly previews: readonly RecordedRequest[];
}

/** Whether a run would call an operation, and the reason. */
export interface OperationPlan {
  readonly operation: string;
  readonly origin: string;
  readonly isSent: boolean;
  /** `values`: not selected, but called a few times for values that selected operations need. */
  readonly purpose: "selected" | "values" | "none";
  /** Reason why it is sent or not. */
  readonly reason: string;
}

/** Requests of a run, as far as they are known before any response. */
export interface RunPlan {
  readonly protocol: ConformanceSuite["protocol"];
  /** Base URL without key and credentials. */
  readonly baseUrl: string;
  readonly seed: string;
  readonly operations: readonly OperationPlan[];
  readonly cases: readonly CasePlan[];
  /** Maximum of the complete run, with the cases that responses will make possible. */
  readonly maximumRequests: number;
  readonly callsPerOperation: number;
}

/** Returns the plan of a run without sending anything. */
export function planSuite(suite: ConformanceSuite, options: RunOptions): RunPlan {
  const tools = createRunTools(suite, options);
  const { safety, selection, sender } = tools;
  const { stages, operations: shared } = planStages(suite, { ...tools, peers: {} });
  const limits = limitsOf(suite, options, shared);
  const all = casesWithinShares(stages, limits, tools);
  const selected = all.filter(({ planned }) => selection.isSelected(planned));
  const isSent = (operation: string): boolean =>
    refusalOfOperation(safety.of(operation), options.allowWrites) === undefined;
  const purposeOf = createPurposes(all, selected, tools);
  const maximumCallsOf = (operation: string): number => {
    const calls = { selected: limits.callsOf(operation), values: prerequisiteCalls, none: 0 };
    return isSent(operation) ? calls[purposeOf(operation)] : 0;
  };
  const operations = describedOperations(suite).map(({ name, origin }): OperationPlan => {
    const { reason } = safety.of(name);
    return { operation: name, origin, isSent: isSent(name), purpose: purposeOf(name), reason };
  });
  // Fields of GraphQL are not among the operations that the description names.
  const names = new Set([...operations.map(({ operation }) => operation), ...shared.map(({ name }) => name)]);
  const calls = [...names].map(maximumCallsOf);
  const sum = calls.reduce((before, one) => before + one, maximumCallsOf(protocolOperation));
  return {
    protocol: suite.protocol,
    baseUrl: sender.mask.mask(options.baseUrl),
    seed: tools.seed,
    operations,
    cases: selected.map(({ planned: { id, operation, group, expected, requests, preview = [] }, stage }) => {
      const previews = preview.map((request) => sender.show(request, operation));
      return { id, operation, group, stage, expected, requests, previews };
    }),
    maximumRequests: Math.min(options.maxRequests ?? Number.POSITIVE_INFINITY, sum),
    callsPerOperation: Math.max(0, ...calls),
  };
}

interface StagedCase {
  readonly planned: PlannedCase;
  readonly stage: string;
}

/** Returns the cases that are sent, within the shares of their stages, as in a run. */
function casesWithinShares(
  stages: readonly Stage[],
  limits: RunLimits,
  { safety, options }: RunTools,
): readonly StagedCase[] {
  const calls = new Map<string, number>();
  const fits = ({ operation, requests, usualRequests = requests }: PlannedCase, share: number): boolean => {
    const sum = (calls.get(operation) ?? 0) + usualRequests;
    if (sum > limits.callsOf(operation) * share) return false;
    calls.set(operation, sum);
    return true;
  };
  return stages.flatMap(({ name, share = 1, plan }) =>
    plan()
      .filter((planned) => refusalOfCase(planned, safety, options.allowWrites) === undefined && fits(planned, share))
      .map((planned) => ({ planned, stage: name })),
  );
}

/** Returns the function that determines why an operation is called. */
function createPurposes(
  all: readonly StagedCase[],
  selected: readonly StagedCase[],
  { selection, safety }: RunTools,
): (operation: string) => OperationPlan["purpose"] {
  const operationsOf = (cases: readonly StagedCase[]): ReadonlySet<string> =>
    new Set(cases.map(({ planned }) => planned.operation));
  const ofSelected = operationsOf(selected);
  const ofValues = operationsOf(all.filter(({ planned }) => selection.isPrerequisite(planned)));
  return (operation) => {
    if (ofSelected.has(operation) || selection.maySelect(operation)) return "selected";
    return ofValues.has(operation) && safety.of(operation).isSafe ? "values" : "none";
  };
}
