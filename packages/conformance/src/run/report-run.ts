import { withPlace } from "../suite/with-place.ts";
import { counted } from "../basics/counted.ts";
import type { AvailabilityLog } from "../capabilities/availability.ts";
import type { CapabilityFacts } from "../contract/capability-facts.ts";
import type { CaseReport, OperationReport, Report, Verdict } from "../contract/report.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { SecretMask } from "../client/secret-mask.ts";
import type { Budget } from "../client/budget.ts";
import type { Evidence } from "../session/coverage.ts";
import type { LatencyMeter } from "./latency.ts";
import type { RecordingLive } from "./recording-live.ts";
import { runRules } from "./run-rules.ts";
import { toolVersion } from "../basics/tool-version.ts";

/** Everything that a report is made from. */
export interface RunResult {
  readonly suite: ConformanceSuite;
  /** Without secrets. */
  readonly baseUrl: string;
  readonly against?: string;
  readonly seed: string;
  readonly startedAt: Date;
  readonly milliseconds: number;
  readonly cases: readonly CaseReport[];
  readonly notices: readonly string[];
  readonly facts: Omit<CapabilityFacts, "operations">;
  readonly budget: Budget;
  readonly availability: AvailabilityLog;
  readonly latencies: LatencyMeter;
  readonly coverage: Evidence;
  readonly live: RecordingLive;
  readonly mask: SecretMask;
  /** A clause: why the run did not come to its end. */
  readonly brokenOff?: string;
  /** True: an operation was answered as a success, or nobody can expect that. */
  readonly hasSuccess: boolean;
  readonly unjudgedBecause?: string;
}

const verdicts: readonly Verdict[] = [
  "passed",
  "failed",
  "warned",
  "skipped",
  "flaky",
  "untested",
  "not-sent",
  "known",
  "stale",
];

export function reportRun(result: RunResult): Report {
  const { suite, cases, mask, live } = result;
  const totals = countVerdicts(cases);
  const answers = live.recorded(mask);
  return {
    format: 2,
    tool: { name: "nodewright", version: toolVersion() },
    suite: { name: suite.name, title: suite.title, version: suite.version, source: suite.source },
    protocol: suite.protocol,
    baseUrl: result.baseUrl,
    ...(result.against === undefined ? {} : { against: result.against }),
    seed: result.seed,
    startedAt: result.startedAt.toISOString(),
    milliseconds: Math.round(result.milliseconds),
    requests: result.budget.requests,
    target: targetOf(result.facts),
    cases,
    operations: reportOperations(result),
    totals,
    notices: noticesOf(result).map((notice) => mask.mask(notice)),
    ...(result.brokenOff === undefined ? {} : { brokenOff: result.brokenOff }),
    ...outcomeOf(result, totals),
    ...(answers.length === 0 ? {} : { replay: { answers } }),
  };
}

function targetOf({
  client,
  chain,
  height,
  isSynchronised,
  headLagSeconds,
  prunedBelow,
}: RunResult["facts"]): Report["target"] {
  return {
    ...(client === undefined ? {} : { client }),
    ...(chain === undefined ? {} : { chain }),
    ...(height === undefined ? {} : { height }),
    ...(isSynchronised === undefined ? {} : { isSynchronised }),
    ...(headLagSeconds === undefined ? {} : { headLagSeconds }),
    ...(prunedBelow === undefined ? {} : { prunedBelow }),
  };
}

function countVerdicts(cases: readonly CaseReport[]): Report["totals"] {
  const totals = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of cases) totals[verdict] += 1;
  return totals;
}

function reportOperations({
  suite,
  cases,
  availability,
  budget,
  latencies,
  coverage,
}: RunResult): readonly OperationReport[] {
  const described =
    suite.protocol === "graphql"
      ? suite.documents.map(({ name, root, place }) => ({ name, origin: `${root} ${name}`, place }))
      : suite.operations.map(({ name, origin, place }) => ({ name, origin, place }));
  const known = new Set(described.map(({ name }) => name));
  // Selections that are made from a schema have cases of their own, and so has what belongs to the protocol.
  const others = [...new Set(cases.map(({ operation }) => operation))].filter((name) => !known.has(name));
  return [...described, ...others.map((name) => ({ name, origin: name, place: undefined }))].map(
    ({ name, origin, place }) => {
      const { availability: offered, reason } = availability.facts.get(name) ?? unknown(budget.callsOf(name));
      const latency = latencies.latencyOf(name);
      return {
        operation: name,
        origin,
        ...withPlace(place),
        availability: offered,
        availabilityReason: reason,
        calls: budget.callsOf(name),
        ...(latency === undefined ? {} : { latency }),
        coverage: coverage.coverageOf(name),
      };
    },
  );
}

function unknown(calls: number): { readonly availability: "unknown"; readonly reason: string } {
  return { availability: "unknown", reason: calls === 0 ? "it was not asked for" : "its answers do not say" };
}

function noticesOf(result: RunResult): readonly string[] {
  const { notices, budget, cases, availability, brokenOff } = result;
  const ended = budget.endedBecause();
  const untested = cases.filter(({ verdict }) => verdict === "untested").length;
  const absent = [...availability.facts].filter(
    ([, fact]) => fact.availability === "missing" || fact.availability === "disabled",
  );
  return [
    ...notices,
    ...(ended === undefined || (untested === 0 && brokenOff === undefined)
      ? []
      : [`The run ended early: ${ended}. ${counted(untested, "case")} ${untested === 1 ? "was" : "were"} not played.`]),
    ...(ended === undefined ? unheardNotice(cases) : []),
    ...unprovokedNotice(result),
    ...(absent.length === 0
      ? []
      : [
          `${counted(absent.length, "operation")} ${absent.length === 1 ? "is" : "are"} not offered by this target: ${absent.map(([name]) => name).join(", ")}.`,
        ]),
  ];
}

/** Errors of JSON-RPC methods that no call had: what is documented of them was not looked at. */
function unprovokedNotice({ suite, budget, coverage }: RunResult): readonly string[] {
  if (suite.protocol !== "rpc") return [];
  const unseen = suite.operations.flatMap(({ name, method }) => {
    if (budget.callsOf(name) === 0) return [];
    const codes = coverage.coverageOf(name)["statuses"]?.unseen ?? [];
    return codes.filter((code) => code !== "result").map((code) => `${method} ${code}`);
  });
  return unseen.length === 0 ? [] : [`Documented errors that no call had: ${shorten(unseen)}.`];
}

/** Rules that are broken where an answer can't be looked at. */
const unseenRules: ReadonlySet<string> = new Set([runRules.inTime.id, runRules.size.id]);

/** A target that conforms must not seem to be known in what it did not say. */
function unheardNotice(cases: readonly CaseReport[]): readonly string[] {
  const isUnheard = ({ verdict, findings }: CaseReport): boolean =>
    verdict === "untested" || (verdict === "warned" && findings.every(({ rule }) => unseenRules.has(rule)));
  const unheard = [...Map.groupBy(cases, ({ operation }) => operation)]
    .filter(([, own]) => own.some(isUnheard) && own.every((one) => isUnheard(one) || one.verdict === "skipped"))
    .map(([operation]) => operation);
  return unheard.length === 0
    ? []
    : [`Nothing was found out of ${counted(unheard.length, "operation")}: ${shorten(unheard)}.`];
}

const shownNames = 12;

function shorten(names: readonly string[]): string {
  const left = names.length - shownNames;
  return `${names.slice(0, shownNames).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

function outcomeOf(
  { cases, unjudgedBecause, brokenOff, hasSuccess }: RunResult,
  totals: Report["totals"],
): Pick<Report, "outcome" | "unjudgedBecause"> {
  if (unjudgedBecause !== undefined) return { outcome: "unjudged", unjudgedBecause };
  if (totals.failed > 0 || totals.stale > 0) return { outcome: "differs" };
  if (brokenOff !== undefined)
    return { outcome: "unjudged", unjudgedBecause: `${brokenOff}; nothing that was played until then failed.` };
  const isAllRefused = !hasSuccess && totals.passed + totals.warned > 0;
  if (isAllRefused) {
    return { outcome: "unjudged", unjudgedBecause: "Nothing could be judged: no operation was answered as a success." };
  }
  if (totals.passed + totals.warned + totals.known + totals.flaky > 0) return { outcome: "conforms" };
  return { outcome: "unjudged", unjudgedBecause: `Nothing could be judged: ${whyNothing(cases)}.` };
}

/** The reason that most cases have in common. */
function whyNothing(cases: readonly CaseReport[]): string {
  if (cases.length === 0) return "there was no case to play";
  const reasons = [...Map.groupBy(cases, ({ verdict, reason }) => reason ?? verdict)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  return reasons[0]?.[0] ?? "no case was played";
}
