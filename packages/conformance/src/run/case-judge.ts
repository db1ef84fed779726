import type { AvailabilityLog } from "../capabilities/availability.ts";
import { isArchiveText } from "../capabilities/offer.ts";
import { readRpcReply } from "../capabilities/rpc-reply.ts";
import { matchesAny } from "../basics/name-pattern.ts";
import type { RunOptions } from "../contract/options.ts";
import { rpcRules } from "../protocols/jsonrpc/rpc-rules.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { LatencyMeter } from "./latency.ts";
import { judgeCase, type Judgement, type PlayedCase } from "./played-case.ts";
import type { Presence } from "./presence.ts";

/** What a judge of cases knows of the run and the target. */
export interface CaseJudgeParts {
  readonly suite: ConformanceSuite;
  readonly options: RunOptions;
  readonly availability: AvailabilityLog;
  readonly latencies: LatencyMeter;
  readonly presence: Presence;
  readonly isCatchingUp: () => boolean;
}

/**
 * Judges cases by all that is known of the target so far: failures that say nothing of it are skipped. The same case may be judged
 * otherwise when more is known.
 */
export function createCaseJudge(parts: CaseJudgeParts): (played: PlayedCase) => Judgement {
  const { presence, latencies } = parts;
  /** Operation → the case that tells that it is not there. */
  const missingToldBy = new Map<string, string>();
  return (played) => {
    if (presence.isLost(played)) return { verdict: "untested", reason: "the target stopped answering", findings: [] };
    const isSlow = latencies.latencyOf(played.planned.operation) === undefined;
    const judgement = judgeCase(played, { isSlow, isStrict: parts.options.strict });
    if (judgement.verdict !== "failed" && judgement.verdict !== "warned") return judgement;
    const reason =
      absenceReason(parts, played, missingToldBy) ?? archiveReason(parts.suite, played) ?? syncReason(parts, played);
    return reason === undefined ? judgement : { verdict: "skipped", reason, findings: [] };
  };
}

/** Of what is not offered nothing is said, but for the one case that is about its being there. */
function absenceReason(
  { suite, options, availability }: CaseJudgeParts,
  { planned: { id, operation }, findings }: PlayedCase,
  missingToldBy: Map<string, string>,
): string | undefined {
  const reason = availability.absenceOf(operation, 1);
  const isMissing = availability.facts.get(operation)?.availability === "missing";
  if (reason === undefined || !isMissing || findings.length === 0) return reason;
  if (suite.protocol === "rpc") return findings.some(({ rule }) => rule === rpcRules.isThere) ? undefined : reason;
  if (matchesAny(options.mayBeMissing, [operation])) return reason;
  const toldBy = missingToldBy.get(operation) ?? id;
  missingToldBy.set(operation, toldBy);
  return toldBy === id ? undefined : reason;
}

/** A target without an archive says nothing about what it does not keep. */
function archiveReason(suite: ConformanceSuite, { exchanges }: PlayedCase): string | undefined {
  if (suite.protocol !== "rpc") return undefined;
  const { error } = readRpcReply(exchanges.at(-1)?.answer?.body) ?? {};
  return error !== undefined && isArchiveText(`${error.message} ${error.data}`)
    ? `the target does not keep what is asked for: ${error.message}`
    : undefined;
}

/** What depends on the head says nothing while a target is catching up. */
function syncReason({ isCatchingUp }: CaseJudgeParts, { planned, findings }: PlayedCase): string | undefined {
  return isCatchingUp() && planned.isLive && findings.length > 0
    ? "the target is catching up, and this depends on its head"
    : undefined;
}
