import { type CaseGroup, type PlannedCase, protocolOperation } from "../contract/planned-case.ts";
import { refusalOfCase, refusalOfOperation, type Safety } from "../safety/safety.ts";
import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RecordedRequest } from "../contract/exchange.ts";
import { limitsOf, prerequisiteCalls } from "./limits.ts";
import type { RunOptions } from "../contract/options.ts";
import { createRunTools } from "./run-tools.ts";
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
  readonly mostRequests: number;
  readonly callsPerOperation: number;
}

/** Returns the plan of a run without sending anything. */
export function planSuite(suite: ConformanceSuite, options: RunOptions): RunPlan {
  const tools = createRunTools(suite, options);
  const { seed, safety, selection, sender } = tools;
  const { stages, operations: shared } = planStages(suite, { ...tools, peers: {} });
  const limits = limitsOf(suite, options, shared);
  const isSent = (planned: PlannedCase): boolean => refusalOfCase(planned, safety, options.allowWrites) === undefined;
  const calls = new Map<string, number>();
  /** Returns whether a case is within the share of its stage, as in a run. */
  const fits = ({ operation, requests, usualRequests = requests }: PlannedCase, share = 1): boolean => {
    const sum = (calls.get(operation) ?? 0) + usualRequests;
    if (sum > limits.callsOf(operation) * share) return false;
    calls.set(operation, sum);
    return true;
  };
  const all = stages.flatMap(({ name, share, plan }) =>
    plan()
      .filter((planned) => isSent(planned) && fits(planned, share))
      .map((planned) => ({ planned, stage: name })),
  );
  const cases = all
    .filter(({ planned }) => selection.isSelected(planned))
    .map(({ planned: { id, operation, group, expected, requests, preview = [] }, stage }) => ({
      id,
      operation,
      group,
      stage,
      expected,
      requests,
      previews: preview.map((request) => sender.show(request, operation)),
    }));
  const calledForValues = new Set(
    all.flatMap(({ planned }) =>
      selection.isPrerequisite(planned) && safety.of(planned.operation).isSafe ? [planned.operation] : [],
    ),
  );
  const selected = new Set(cases.map(({ operation }) => operation));
  const purposeOf = (operation: string): OperationPlan["purpose"] => {
    if (selected.has(operation) || selection.maySelect(operation)) return "selected";
    return calledForValues.has(operation) ? "values" : "none";
  };
  const operations = planOperations(suite, options, safety, purposeOf);
  const callsOf = new Map(
    operations.map(({ operation, isSent: is, purpose }): readonly [string, number] => {
      const most = is && purpose === "selected" ? limits.callsOf(operation) : 0;
      return [operation, is && purpose === "values" ? prerequisiteCalls : most];
    }),
  );
  // Fields of GraphQL are not among the operations that the description names.
  for (const { name } of shared)
    if (!callsOf.has(name) && selection.maySelect(name)) callsOf.set(name, limits.callsOf(name));
  const isProtocolChecked = selected.has(protocolOperation) || selection.maySelect(protocolOperation);
  return {
    protocol: suite.protocol,
    baseUrl: sender.mask.mask(options.baseUrl),
    seed,
    operations,
    cases,
    mostRequests: Math.min(
      options.maxRequests ?? Number.POSITIVE_INFINITY,
      [...callsOf.values()].reduce((sum, one) => sum + one, isProtocolChecked ? limits.callsOf(protocolOperation) : 0),
    ),
    callsPerOperation: Math.max(0, ...callsOf.values()),
  };
}

function planOperations(
  suite: ConformanceSuite,
  { allowWrites }: RunOptions,
  safety: Safety,
  purposeOf: (operation: string) => OperationPlan["purpose"],
): readonly OperationPlan[] {
  return describedOperations(suite).map(({ name, origin }) => {
    const evaluation = safety.of(name);
    const isSent = refusalOfOperation(evaluation, allowWrites) === undefined;
    return { operation: name, origin, isSent, purpose: purposeOf(name), reason: evaluation.reason };
  });
}
