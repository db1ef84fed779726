import type { MutantStatus } from "@stryker-mutator/api/core";
import type { ListedMutant } from "./mutants.ts";

export interface TestedMutant {
  readonly mutant: ListedMutant;
  readonly status: MutantStatus;
}

/** A mutant of a sample that no test noticed. */
export interface Survivor {
  readonly id: string;
  readonly package: string;
  readonly file: string;
  /** From 1, at the time of the last run that found it. */
  readonly line: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** `Survived`, or `NoCoverage` where no test reaches it in its own process. */
  readonly status: MutantStatus;
  /** Seeds whose samples hold it. */
  readonly seeds: readonly string[];
  /** Why no test notices it; empty until somebody has looked. */
  readonly reason: string;
}

export interface VerdictCounts {
  readonly killed: number;
  readonly timeout: number;
  readonly survived: number;
  readonly noCoverage: number;
  /** Mutants that Stryker counts neither way, because the tests could not be loaded. */
  readonly errors: number;
}

export interface ResultRow extends VerdictCounts {
  readonly name: string;
  readonly seed: string;
  readonly sampled: number;
  readonly date: string;
  readonly commit: string;
}

export function countVerdicts(tested: readonly TestedMutant[]): VerdictCounts {
  const count = (wanted: MutantStatus) => tested.filter(({ status }) => status === wanted).length;
  return {
    killed: count("Killed"),
    timeout: count("Timeout"),
    survived: count("Survived"),
    noCoverage: count("NoCoverage"),
    errors: count("RuntimeError"),
  };
}

/** The lowest score that passes, in percent. */
const leastScore = 85;

/** A row of RESULTS.md. */
export function renderRow(row: ResultRow): string {
  const { name, seed, sampled, killed, timeout, survived, noCoverage, errors, date, commit } = row;
  const score = scoreOf(row);
  const counts = [sampled, testedOf(row), killed, timeout, survived, noCoverage, errors];
  const cells = [name, seed, ...counts, score === undefined ? "–" : `${score.toFixed(1)} %`, date, commit];
  return `| ${cells.join(" | ")} |`;
}

/** Returns why a sample does not pass: it is not tested to its end, or its score is too low. Undefined when it passes. */
export function findShortfall(row: ResultRow): string | undefined {
  const tested = testedOf(row);
  if (tested < row.sampled) return `${row.name}: ${tested} of ${row.sampled} mutants of the sample are tested`;
  const score = scoreOf(row);
  if (score === undefined) return `${row.name}: no mutant of the sample has a score`;
  if (score < leastScore) return `${row.name}: the score ${score.toFixed(1)} % is below ${leastScore} %`;
  return undefined;
}

function testedOf({ killed, timeout, survived, noCoverage, errors }: VerdictCounts): number {
  return killed + timeout + survived + noCoverage + errors;
}

/**
 * Returns Stryker's score in percent: detected mutants of all that are detected or not. A sample that is not tested to its end has none: of
 * what is stored, detected mutants hold for longer than survivors, so a share of it would be too high.
 */
function scoreOf(row: ResultRow): number | undefined {
  const detected = row.killed + row.timeout;
  const valid = detected + row.survived + row.noCoverage;
  return valid === 0 || testedOf(row) < row.sampled ? undefined : (100 * detected) / valid;
}

/** Puts a row in place of that of the same package and seed, or after all others. */
export function replaceRow(table: string, row: string): string {
  const keyOf = (line: string) => line.split("|").slice(0, 3).join("|");
  const lines = table.trimEnd().split("\n");
  const index = lines.findIndex((line) => keyOf(line) === keyOf(row));
  return `${(index === -1 ? [...lines, row] : lines.with(index, row)).join("\n")}\n`;
}

/**
 * Returns the survivors with those of a run: a survivor that is known keeps its reason, and one that is detected now is dropped. One of
 * another sample stays; one that the sample of this seed had, and has no more since the sources changed, does not.
 */
export function addSurvivors(
  known: readonly Survivor[],
  name: string,
  seed: string,
  sample: readonly ListedMutant[],
  tested: readonly TestedMutant[],
): readonly Survivor[] {
  const testedIds = new Set(tested.map(({ mutant }) => mutant.id));
  const sampledIds = new Set(sample.map(({ id }) => id));
  const knownById = new Map(known.map((survivor) => [survivor.id, survivor]));
  const found = tested
    .filter(({ status }) => status === "Survived" || status === "NoCoverage")
    .map(({ mutant: { id, file, location, mutator, original, replacement }, status }): Survivor => {
      const before = knownById.get(id);
      const seeds = [...new Set([...(before?.seeds ?? []), seed])].toSorted();
      const line = location.start.line + 1;
      const reason = before?.reason ?? "";
      return { id, package: name, file, line, mutator, original, replacement, status, seeds, reason };
    });
  const others = known
    .filter(({ id }) => !testedIds.has(id))
    .map((survivor) =>
      survivor.package !== name || sampledIds.has(survivor.id)
        ? survivor
        : { ...survivor, seeds: survivor.seeds.filter((one) => one !== seed) },
    )
    .filter(({ seeds }) => seeds.length > 0);
  return [...others, ...found].toSorted(
    (one, other) =>
      compare(one.package, other.package) ||
      compare(one.file, other.file) ||
      one.line - other.line ||
      compare(one.id, other.id),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
