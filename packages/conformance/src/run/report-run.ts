import { counted, listed } from "../basics/counted.ts";
import { toolVersion } from "../basics/tool-version.ts";
import { protocolOperation } from "../contract/planned-case.ts";
import { type CaseReport, countVerdicts, type OperationReport, type Report, type Verdict } from "../contract/report.ts";
import { describedOperations } from "../suite/described-operations.ts";
import { withPlace } from "../suite/with-place.ts";
import { runRules } from "./run-rules.ts";
import type { RunTools } from "./run-tools.ts";

/** What came of a run. */
export interface RunResult {
  readonly cases: readonly CaseReport[];
  readonly startedAt: Date;
  readonly milliseconds: number;
  /** Why nothing can be said of the target. */
  readonly unjudgedBecause: string | undefined;
}

export function reportRun(tools: RunTools, result: RunResult): Report {
  const { suite, baseUrl, seed, live, budget } = tools;
  const { cases, startedAt, milliseconds } = result;
  const { mask } = tools.sender;
  const { query, address } = baseUrl;
  const against = comparedWith(tools, cases);
  const broken = brokenOff(tools);
  const answers = live.recorded(mask);
  return {
    format: 2,
    tool: { name: "nodewright", version: toolVersion() },
    suite: { name: suite.name, title: suite.title, version: suite.version, source: suite.source },
    protocol: suite.protocol,
    baseUrl: mask.mask(query === "" ? address : `${address}?${query}`),
    ...(against === undefined ? {} : { against }),
    seed,
    startedAt: startedAt.toISOString(),
    milliseconds: Math.round(milliseconds),
    requests: budget.requests,
    target: { ...tools.detection?.facts },
    cases,
    operations: reportOperations(tools, cases),
    totals: countVerdicts(cases),
    notices: noticesOf(tools, cases).map((notice) => mask.mask(notice)),
    ...(broken === undefined ? {} : { brokenOff: broken }),
    ...outcomeOf(tools, result),
    ...(answers.length === 0 ? {} : { replay: { answers } }),
  };
}

/** Returns why the run did not come to its end, a clause. */
function brokenOff({ presence, options }: RunTools): string | undefined {
  return presence.goneBecause ?? (options.signal?.aborted === true ? "The run was interrupted" : undefined);
}

/** Returns the second target, where anything was compared with it. */
function comparedWith({ options, peers }: RunTools, cases: readonly CaseReport[]): string | undefined {
  const isCompared = cases.some(
    ({ id, group, verdict }) =>
      group === "against" &&
      !id.startsWith(protocolOperation) &&
      ["passed", "failed", "warned", "flaky"].includes(verdict),
  );
  return isCompared && options.against !== undefined ? peers.against?.sender.mask.mask(options.against) : undefined;
}

function reportOperations(tools: RunTools, cases: readonly CaseReport[]): readonly OperationReport[] {
  const { suite, availability, budget, latencies, coverage } = tools;
  const described = describedOperations(suite);
  const known = new Set(described.map(({ name }) => name));
  // Selections that are made from a schema have cases of their own, and so has what belongs to the protocol.
  const others = [...new Set(cases.map(({ operation }) => operation))].filter((name) => !known.has(name));
  return [...described, ...others.map((name) => ({ name, origin: name, place: undefined }))].map(
    ({ name, origin, place }) => {
      const calls = budget.callsOf(name);
      const { availability: offered, reason } = availability.facts.get(name) ?? unknown(calls);
      const latency = latencies.latencyOf(name);
      return {
        operation: name,
        origin,
        ...withPlace(place),
        availability: offered,
        availabilityReason: reason,
        calls,
        ...(latency === undefined ? {} : { latency }),
        coverage: coverage.coverageOf(name),
      };
    },
  );
}

function unknown(calls: number): { readonly availability: "unknown"; readonly reason: string } {
  return { availability: "unknown", reason: calls === 0 ? "it was not asked for" : "its answers do not say" };
}

function noticesOf(tools: RunTools, cases: readonly CaseReport[]): readonly string[] {
  const { notices, budget, availability } = tools;
  const ended = budget.endedBecause();
  const untested = cases.filter(({ verdict }) => verdict === "untested").length;
  const absent = [...availability.facts].filter(
    ([, fact]) => fact.availability === "missing" || fact.availability === "disabled",
  );
  return [
    ...notices,
    ...(ended === undefined || (untested === 0 && brokenOff(tools) === undefined)
      ? []
      : [`The run ended early: ${ended}. ${counted(untested, "case")} ${untested === 1 ? "was" : "were"} not played.`]),
    ...(ended === undefined ? unheardNotice(cases) : []),
    ...unprovokedNotice(tools),
    ...(absent.length === 0
      ? []
      : [
          `${counted(absent.length, "operation")} ${absent.length === 1 ? "is" : "are"} not offered by this target: ${absent.map(([name]) => name).join(", ")}.`,
        ]),
  ];
}

/** Errors of JSON-RPC methods that no call had: what is documented of them was not looked at. */
function unprovokedNotice({ suite, budget, coverage }: RunTools): readonly string[] {
  if (suite.protocol !== "rpc") return [];
  const unseen = suite.operations.flatMap(({ name, method }) => {
    if (budget.callsOf(name) === 0) return [];
    const codes = coverage.coverageOf(name)["statuses"]?.unseen ?? [];
    return codes.filter((code) => code !== "result").map((code) => `${method} ${code}`);
  });
  return unseen.length === 0 ? [] : [`Documented errors that no call had: ${listed(unseen, shownNames)}.`];
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
    : [`Nothing was found out of ${counted(unheard.length, "operation")}: ${listed(unheard, shownNames)}.`];
}

const shownNames = 12;

function outcomeOf(
  tools: RunTools,
  { cases, unjudgedBecause }: RunResult,
): Pick<Report, "outcome" | "unjudgedBecause"> {
  const unjudged = (sentence: string) => ({ outcome: "unjudged", unjudgedBecause: sentence }) as const;
  const has = (...wanted: readonly Verdict[]): boolean => cases.some(({ verdict }) => wanted.includes(verdict));
  if (unjudgedBecause !== undefined) return unjudged(unjudgedBecause);
  if (has("failed", "stale")) return { outcome: "differs" };
  const broken = brokenOff(tools);
  if (broken !== undefined) return unjudged(`${broken}; nothing that was played until then failed.`);
  // Where single operations are played, nobody can expect a success.
  const hasSuccess = tools.hasSuccess || (tools.options.only?.length ?? 0) > 0;
  if (!hasSuccess && has("passed", "warned"))
    return unjudged("Nothing could be judged: no operation was answered as a success.");
  if (has("passed", "warned", "known", "flaky")) return { outcome: "conforms" };
  return unjudged(`Nothing could be judged: ${whyNothing(cases)}.`);
}

/** The reason that most cases have in common. */
function whyNothing(cases: readonly CaseReport[]): string {
  if (cases.length === 0) return "there was no case to play";
  const reasons = [...Map.groupBy(cases, ({ verdict, reason }) => reason ?? verdict)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  return reasons[0]?.[0] ?? "no case was played";
}
