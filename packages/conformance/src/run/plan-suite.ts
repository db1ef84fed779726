import { randomBytes } from "node:crypto";
import type { CaseGroup, PlannedCase } from "../case/planned-case.ts";
import { createSafety } from "../safety/safety.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { createRandom } from "../types/random.ts";
import type { RecordedExchange } from "../wire/exchange.ts";
import { createSender } from "../wire/sender.ts";
import { createBudget } from "./budget.ts";
import { createEvidence } from "./coverage.ts";
import { limitsOf } from "./limits.ts";
import type { RunOptions } from "./options.ts";
import { createRecordingLive } from "./recording-live.ts";
import { readTarget } from "./read-target.ts";
import { createSelection } from "./selection.ts";
import { stagesOf } from "./stages-of.ts";

/** A request as it would be sent; keys stand in it as variables. */
export type PlannedRequest = Pick<RecordedExchange, "method" | "url" | "headers" | "body">;

export interface CasePlan {
  readonly id: string;
  readonly operation: string;
  readonly group: CaseGroup;
  readonly stage: string;
  readonly expected: string;
  /** At most. */
  readonly requests: number;
  /** Where it is known before anything was answered. */
  readonly previews: readonly PlannedRequest[];
}

export interface OperationPlan {
  readonly operation: string;
  readonly origin: string;
  readonly isSent: boolean;
  /** Why it is sent, or not. */
  readonly reason: string;
}

/** What a run would send, as far as it can be said before anything was answered. */
export interface RunPlan {
  /** Without key and credentials. */
  readonly baseUrl: string;
  readonly seed: string;
  readonly operations: readonly OperationPlan[];
  readonly cases: readonly CasePlan[];
  /** Of the whole run, with the cases that answers will make possible. */
  readonly mostRequests: number;
  readonly callsPerOperation: number;
}

/** Says what a run would send, without sending anything. */
export function planSuite(suite: ConformanceSuite, options: RunOptions): RunPlan {
  const baseUrl = readTarget(suite, options);
  const seed = options.seed ?? randomBytes(8).toString("hex");
  const safety = createSafety(suite, options);
  const limits = limitsOf(suite, options);
  const selection = createSelection(suite, options);
  const budget = createBudget({ callsOf: () => 0 });
  const sender = createSender({ suite, options, baseUrl, budget });
  const stages = stagesOf(suite, {
    options,
    live: createRecordingLive(suite).values,
    random: createRandom(seed),
    capabilities: { operations: new Map() },
    safety,
    coverage: createEvidence(),
    callsPerOperation: limits.callsPerOperation,
  });
  const isSent = ({ operation, writes }: PlannedCase): boolean =>
    options.allowWrites === true || (!writes && safety.of(operation).isSafe);
  const cases = stages.flatMap((stage) =>
    stage
      .plan()
      .filter((planned) => selection.isSelected(planned) && isSent(planned))
      .map(({ id, operation, group, expected, requests, preview = [] }) => ({
        id,
        operation,
        group,
        stage: stage.name,
        expected,
        requests,
        previews: preview.map((request) => sender.show(request, operation)),
      })),
  );
  const operations = planOperations(suite, options, safety);
  const sent = operations.filter((operation) => operation.isSent).length;
  return {
    baseUrl: sender.mask.mask(options.baseUrl),
    seed,
    operations,
    cases,
    mostRequests: Math.min(
      options.maxRequests ?? Number.POSITIVE_INFINITY,
      sent * limits.callsPerOperation + limits.protocolCalls,
    ),
    callsPerOperation: limits.callsPerOperation,
  };
}

function planOperations(
  suite: ConformanceSuite,
  { allowWrites }: RunOptions,
  safety: ReturnType<typeof createSafety>,
): readonly OperationPlan[] {
  const described =
    suite.protocol === "graphql"
      ? suite.documents.map(({ name, root }) => ({ name, origin: `${root} ${name}` }))
      : suite.operations;
  return described.map(({ name, origin }) => {
    const { isSafe, reason } = safety.of(name);
    return { operation: name, origin, isSent: isSafe || allowWrites === true, reason };
  });
}
