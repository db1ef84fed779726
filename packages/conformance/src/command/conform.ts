import { againstRules } from "../against/against-rules.ts";
import { readMayDiffer } from "../against/read-may-differ.ts";
import { relationsBetween } from "../against/read-interfaces.ts";
import { annotateWithProfile, missingOf } from "../baseline/apply-profile.ts";
import { applyBaseline } from "../baseline/apply-baseline.ts";
import { applyFailOn } from "../baseline/conclude.ts";
import { readBaseline, readBaselineText } from "../baseline/read-baseline.ts";
import { type Profile, readProfile } from "../baseline/read-profile.ts";
import { updateBaseline } from "../baseline/update-baseline.ts";
import { counted, UsageError } from "@nodewright/terminal-text";
import { pause } from "../client/pause.ts";
import { createSecretMask } from "@nodewright/secret-mask";
import type { Report, RunObserver } from "../contract/report.ts";
import type { RunOptions } from "../contract/options.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { ConformArguments } from "./conform-arguments.ts";
import { checkWritable, createOutputs, type Outputs, tryWrite, writeCompletely } from "./outputs.ts";
import { createProgress } from "./progress.ts";
import { type Access, type Environment, readAccess } from "./read-access.ts";
import { renderPlan } from "./render-plan.ts";
import { type ConformStreams, widthOf } from "./streams.ts";
import { toolVersion } from "../basics/tool-version.ts";

/** 0: conforms, 1: does not conform, 2: invalid command line or document, 3: is inconclusive. */
export type ConformExitCode = 0 | 1 | 2 | 3;

/** Exit codes by outcome. A run that ended early reports nothing about the cases that it did not reach. */
const exitCodes = { conforms: 0, differs: 1, inconclusive: 3 } as const satisfies Record<
  Report["outcome"],
  ConformExitCode
>;

/** Plays a suite against a target. */
export type PlaySuite = (suite: ConformanceSuite, options: RunOptions, observer?: RunObserver) => Promise<Report>;

/** A suite with notices about the document that it was created from. */
export interface LoadedSuite {
  readonly suite: ConformanceSuite;
  /** Notices about the document: examples that contradict their schemas. */
  readonly notices: readonly string[];
  /** Source texts of the document's files, by the paths of places, for the lines that findings are about. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
}

/** A run of the command: its arguments and dependencies. */
export interface ConformRequest extends LoadedSuite {
  /** Suite of another interface to the same data. */
  readonly across?: ConformanceSuite | undefined;
  readonly arguments: ConformArguments;
  readonly streams: ConformStreams;
  readonly environment: Environment;
  /** Ends the run early, with a report of what was played. */
  readonly signal?: AbortSignal | undefined;
  readonly play: PlaySuite;
  /** Called with each report when it is written. */
  onReport?(report: Report): void;
}

/**
 * Plays a suite as a command line requests, writes its reports, and returns the exit code.
 *
 * @throws {UsageError} for an invalid option or file.
 */
export async function conform(request: ConformRequest): Promise<ConformExitCode> {
  const { arguments: given, streams, environment, texts = new Map(), signal } = request;
  const access = readAccess(given, environment);
  const profile = given.profile === undefined ? undefined : readProfile(given.profile);
  if (given.baseline !== undefined)
    readBaseline(given.baseline, readBaselineText(given.baseline, given.updateBaseline === true));
  if (given.baseline !== undefined && given.updateBaseline === true) checkWritable(given.baseline, "baseline");
  const { mask } = createSecretMask(access.secrets);
  if (given.plan === true) return await printPlan(request, access, profile);
  const outputs = createOutputs(given.reports, {
    streams,
    environment,
    isVerbose: given.verbose === true,
    isQuiet: given.quiet === true,
    texts,
  });
  for (;;) {
    const code = await playOnce(request, { access, profile, mask, outputs });
    if (given.every === undefined) return code;
    await pause(given.every, signal);
    if (signal?.aborted === true) return code;
  }
}

async function printPlan(
  { suite, arguments: given, streams }: ConformRequest,
  access: Access,
  profile: Profile | undefined,
): Promise<ConformExitCode> {
  const { planSuite } = await import("../run/plan-suite.ts");
  const plan = planSuite(suite, optionsOf(given, access, profile));
  const isJson = given.reports.some(({ format }) => format === "json");
  const text = isJson
    ? `${JSON.stringify(plan, undefined, 2)}\n`
    : renderPlan(plan, { width: widthOf(streams.stdout), isVerbose: given.verbose === true });
  streams.stdout.write(text);
  return 0;
}

interface Prepared {
  readonly access: Access;
  readonly profile: Profile | undefined;
  readonly mask: (text: string) => string;
  readonly outputs: Outputs;
}

async function playOnce(
  request: ConformRequest,
  { access, profile, mask, outputs }: Prepared,
): Promise<ConformExitCode> {
  const { suite, notices, arguments: given, streams, signal, play } = request;
  const { name, title, version, source, protocol } = suite;
  outputs.start({
    format: 2,
    tool: { name: "nodewright", version: toolVersion() },
    suite: { name, title, version, source },
    protocol,
    baseUrl: mask(access.options.baseUrl),
  });
  const progress = createProgress(streams.stderr, given.quiet !== true);
  let played: Report;
  try {
    played = await play(
      suite,
      { ...optionsOf(given, access, profile), ...comparisonOf(request, access), signal },
      {
        onStage: progress.onStage,
        onCase(report) {
          outputs.onCase(report);
          progress.onCase(report);
        },
      },
    );
  } finally {
    progress.clear();
  }
  const complete = withoutSilence({ ...played, notices: [...notices.map(mask), ...played.notices] }, access, mask);
  const evaluated = applyFailOn(
    profile === undefined ? complete : annotateWithProfile(complete, profile),
    given.failOn,
  );
  const report = compareWithBaseline(evaluated, given, streams, outputs);
  outputs.end(report);
  request.onReport?.(report);
  return exitCodes[report.outcome];
}

/** @throws {UsageError} for an invalid file, and for interfaces without known relations. */
function comparisonOf(
  { suite, across, arguments: given }: ConformRequest,
  { acrossUrl }: Access,
): Pick<RunOptions, "mayDiffer" | "across"> {
  const mayDiffer = given.mayDiffer === undefined ? undefined : readMayDiffer(given.mayDiffer);
  if (across === undefined || acrossUrl === undefined) return { mayDiffer };
  const relations = relationsBetween(suite, across);
  if (relations.length === 0) throw new UsageError(`${suite.title} and ${across.title} have no known facts in common.`);
  return { mayDiffer, across: { suite: across, baseUrl: acrossUrl, relations } };
}

/** Adds a notice for a requested comparison that was not made, which must not look as if nothing differed. */
function withoutSilence(report: Report, { options, acrossUrl }: Access, mask: Prepared["mask"]): Report {
  if (report.outcome !== "conforms") return report;
  const silent = (url: string): Report => ({
    ...report,
    outcome: "inconclusive",
    inconclusiveBecause: `Nothing was compared with ${mask(url)}.`,
  });
  if (options.against !== undefined && report.against === undefined) return silent(options.against);
  const isReported = report.cases.some(({ rule, verdict }) => rule === againstRules.across.id && verdict !== "skipped");
  return acrossUrl === undefined || isReported ? report : silent(acrossUrl);
}

function compareWithBaseline(
  report: Report,
  given: ConformArguments,
  streams: ConformStreams,
  outputs: Outputs,
): Report {
  const { baseline: file, updateBaseline: isUpdated = false, failOn } = given;
  if (file === undefined) return report;
  const text = readBaselineText(file, isUpdated);
  if (!isUpdated || report.outcome === "inconclusive") return applyBaseline(report, readBaseline(file, text), failOn);
  const day = report.startedAt.slice(0, 10);
  const update = updateBaseline(file, text, report, { day, failOn });
  try {
    tryWrite(file, "baseline", () => writeCompletely(file, update.text));
  } catch (reason) {
    // The reports are still written, with the old baseline.
    outputs.end(applyBaseline(report, readBaseline(file, text), failOn));
    throw reason;
  }
  streams.stderr.write(
    `${file}: ${counted(update.added, "entry", "entries")} added, ${counted(update.removed, "entry", "entries")} removed.\n`,
  );
  return applyBaseline(report, readBaseline(file, update.text), failOn);
}

function optionsOf(given: ConformArguments, { options, secrets }: Access, profile: Profile | undefined): RunOptions {
  const { across: _across, mayDiffer: _mayDiffer, basic: _basic, header: _header, ...same } = given;
  return {
    ...same,
    ...options,
    secrets,
    mayBeMissing: [...(given.mayBeMissing ?? []), ...(profile === undefined ? [] : missingOf(profile))],
    strict: given.failOn === "heuristic",
    timeoutMilliseconds: given.timeout,
    maxMilliseconds: given.maxTime,
    maxCallsPerOperation: given.maxCalls,
    keepExchanges: given.reports.some(({ format }) => format === "har"),
  };
}
