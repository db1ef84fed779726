import { counted, listed } from "@nodewright/terminal-text";
import { toolVersion } from "../basics/tool-version.ts";
import { protocolOperation } from "../contract/planned-case.ts";
import { type CaseReport, countVerdicts, type OperationReport, type Report, type Verdict } from "../contract/report.ts";
import { describedOperations } from "../suite/described-operations.ts";
import { maskReport } from "./mask-report.ts";
import { preflightOperation } from "./preflight.ts";
import { runRules } from "./run-rules.ts";
import type { RunTools } from "./run-tools.ts";

/** Result of a run. */
export interface RunResult {
  readonly cases: readonly CaseReport[];
  readonly startedAt: Date;
  readonly milliseconds: number;
  /** Reason why the run is inconclusive. */
  readonly inconclusiveBecause: string | undefined;
}

export function reportRun(tools: RunTools, result: RunResult): Report {
  const { suite, baseUrl, seed, live, budget } = tools;
  const { cases, startedAt, milliseconds } = result;
  const { mask } = tools.sender;
  const { query, address } = baseUrl;
  const results = live.recorded(mask);
  const operations = reportOperations(tools, cases);
  const summary: Omit<Report, "cases"> = {
    format: 2,
    tool: { name: "nodewright", version: toolVersion() },
    suite: { name: suite.name, title: suite.title, version: suite.version, source: suite.source },
    protocol: suite.protocol,
    baseUrl: query === "" ? address : `${address}?${query}`,
    against: comparedWith(tools, cases),
    seed,
    startedAt: startedAt.toISOString(),
    milliseconds: Math.round(milliseconds),
    requests: budget.requests,
    target: { ...tools.detection?.facts },
    operations,
    totals: countVerdicts(cases),
    notices: noticesOf(tools, cases, operations),
    brokenOff: brokenOff(tools),
    ...outcomeOf(tools, result),
    replay: results.length === 0 ? undefined : { results },
  };
  return { ...maskReport(summary, mask), cases };
}

/** Returns why the run ended early, as a clause. */
function brokenOff({ presence, options }: RunTools): string | undefined {
  return presence.goneBecause ?? (options.signal?.aborted === true ? "The run was interrupted" : undefined);
}

/** Returns the second target, when anything was compared with it. */
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
  const { suite, availability, budget, latencies, coverage, successes } = tools;
  const described = describedOperations(suite);
  const known = new Set(described.map(({ name }) => name));
  // Selections that are generated from a schema have cases of their own, and so have the rules of the protocol.
  const others = [...new Set(cases.map(({ operation }) => operation))].filter((name) => !known.has(name));
  return [...described, ...others.map((name) => ({ name, origin: name, place: undefined }))].map(
    ({ name, origin, place }) => {
      const calls = budget.callsOf(name);
      const unknown = calls === 0 ? "it was not read" : "its responses do not contain it";
      const offer = availability.facts.get(name);
      return {
        operation: name,
        origin,
        place,
        availability: offer?.availability ?? "unknown",
        availabilityReason: offer?.reason ?? unknown,
        calls,
        hasSuccess: known.has(name) && suite.protocol !== "graphql" ? successes.get(name) : undefined,
        latency: latencies.latencyOf(name),
        coverage: coverage.coverageOf(name),
      };
    },
  );
}

function hasAnySuccess({ successes }: RunTools): boolean {
  return [...successes].some(([name, is]) => is && name !== preflightOperation && name !== protocolOperation);
}

function noticesOf(
  tools: RunTools,
  cases: readonly CaseReport[],
  operations: readonly OperationReport[],
): readonly string[] {
  const { notices, budget, availability } = tools;
  const ended = budget.endedBecause();
  const untested = cases.filter(({ verdict }) => verdict === "untested").length;
  const isAbsent = (one: Pick<OperationReport, "availability">): boolean =>
    one.availability === "missing" || one.availability === "disabled";
  const absent = [...availability.facts].flatMap(([name, fact]) => (isAbsent(fact) ? [name] : []));
  const unheard = ended === undefined ? unheardOf(cases) : [];
  const unchecked = hasAnySuccess(tools)
    ? operations.filter((one) => one.hasSuccess === false && !isAbsent(one)).map(({ origin }) => origin)
    : [];
  const errors = untriggeredErrors(tools);
  const count = ({ length }: readonly string[]): string => counted(length, "operation");
  const ofNames: readonly (readonly [names: readonly string[], sentence: string])[] = [
    [unheard, `Nothing was found out of ${count(unheard)}: ${listed(unheard, shownNames)}.`],
    [errors, `Documented errors that no call had: ${listed(errors, shownNames)}.`],
    [
      unchecked,
      `No call of ${count(unchecked)} succeeded, so no result was checked: ${listed(unchecked, shownNames)}.`,
    ],
    [
      absent,
      `${count(absent)} ${absent.length === 1 ? "is" : "are"} not offered by this target: ${absent.join(", ")}.`,
    ],
  ];
  return [
    ...notices,
    ...(ended === undefined || (untested === 0 && brokenOff(tools) === undefined)
      ? []
      : [`The run ended early: ${ended}. ${counted(untested, "case")} ${untested === 1 ? "was" : "were"} not played.`]),
    ...ofNames.filter(([names]) => names.length > 0).map(([, sentence]) => sentence),
  ];
}

/** Returns documented errors of JSON-RPC methods that no call triggered, and which were therefore not checked. */
function untriggeredErrors({ suite, budget, coverage }: RunTools): readonly string[] {
  const methods = suite.protocol === "rpc" ? suite.operations.filter(({ name }) => budget.callsOf(name) > 0) : [];
  return methods.flatMap(({ name, method }) => {
    const codes = coverage.coverageOf(name)["statuses"]?.unseen ?? [];
    return codes.filter((code) => code !== "result").map((code) => `${method} ${code}`);
  });
}

/** Rules that are violated when a response can't be checked. */
const unseenRules: ReadonlySet<string> = new Set([runRules.inTime.id, runRules.size.id]);

/** Returns the operations without any result: a conforming target must not seem to be checked where it was not. */
function unheardOf(cases: readonly CaseReport[]): readonly string[] {
  const isUnheard = ({ verdict, findings }: CaseReport): boolean =>
    verdict === "untested" || (verdict === "warned" && findings.every(({ rule }) => unseenRules.has(rule)));
  return [...Map.groupBy(cases, ({ operation }) => operation)]
    .filter(([, own]) => own.some(isUnheard) && own.every((one) => isUnheard(one) || one.verdict === "skipped"))
    .map(([operation]) => operation);
}

const shownNames = 12;

function outcomeOf(
  tools: RunTools,
  { cases, inconclusiveBecause }: RunResult,
): Pick<Report, "outcome" | "inconclusiveBecause"> {
  const inconclusive = (sentence: string) => ({ outcome: "inconclusive", inconclusiveBecause: sentence }) as const;
  const has = (...wanted: readonly Verdict[]): boolean => cases.some(({ verdict }) => wanted.includes(verdict));
  if (inconclusiveBecause !== undefined) return inconclusive(inconclusiveBecause);
  if (has("failed", "stale")) return { outcome: "differs" };
  const broken = brokenOff(tools);
  if (broken !== undefined) return inconclusive(`${broken}; nothing that was played until then failed.`);
  // When single operations are selected, a success can't be expected.
  const hasSuccess = hasAnySuccess(tools) || (tools.options.only?.length ?? 0) > 0;
  if (!hasSuccess && has("passed", "warned")) return inconclusive("The run is inconclusive: no operation succeeded.");
  if (has("passed", "warned", "known", "flaky")) return { outcome: "conforms" };
  return inconclusive(`No operation could be checked: ${whyNothing(cases)}.`);
}

/** Returns the reason that most cases share. */
function whyNothing(cases: readonly CaseReport[]): string {
  if (cases.length === 0) return "there was no case to play";
  const reasons = [...Map.groupBy(cases, ({ verdict, reason }) => reason ?? verdict)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  return reasons[0]?.[0] ?? "no case was played";
}
