import { createHash } from "node:crypto";
import type { Location, Mutant } from "@stryker-mutator/api/core";
import { Instrumenter } from "@stryker-mutator/instrumenter";

/** A file with its source text. */
export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** One change that the mutators of Stryker make to one expression or statement. */
export interface ListedMutant {
  /** Stays the same when lines move and other files change. */
  readonly id: string;
  readonly file: string;
  /** Lines and columns from 0. */
  readonly location: Location;
  /** One of Stryker's mutators, for example `EqualityOperator`. */
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

const silent = () => {};
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** Lists every mutant that Stryker creates of the files, in their order. */
export async function listMutants(files: readonly SourceFile[]): Promise<readonly ListedMutant[]> {
  const { mutants } = await new Instrumenter(logger).instrument(
    files.map(({ path, text }) => ({ name: path, content: text, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const occurrences = new Map<string, number>();
  return mutants
    .filter(({ status }) => status === undefined)
    .map((mutant) => {
      const original = textAt(texts.get(mutant.fileName) ?? "", mutant.location);
      const key = JSON.stringify([mutant.fileName, mutant.mutatorName, original, mutant.replacement]);
      const occurrence = occurrences.get(key) ?? 0;
      occurrences.set(key, occurrence + 1);
      return {
        id: digest(`${key}#${occurrence}`).slice(0, 16),
        file: mutant.fileName,
        location: mutant.location,
        mutator: mutant.mutatorName,
        original,
        replacement: mutant.replacement,
      };
    });
}

/**
 * Chooses `size` mutants. A seed orders all mutants by a digest of their ids, so the same seed gives the same sample, and a change of one
 * file leaves the choice among all others as it is.
 */
export function sampleMutants(mutants: readonly ListedMutant[], seed: string, size: number): readonly ListedMutant[] {
  return mutants
    .map((mutant) => ({ mutant, rank: digest(`${seed}/${mutant.id}`) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

/** Identifies a mutant of Stryker within one state of the sources; the file is from the root. */
export function placeOf(file: string, { location, mutatorName, replacement }: Omit<Mutant, "fileName" | "id">): string {
  const { start, end } = location;
  return JSON.stringify([file, start.line, start.column, end.line, end.column, mutatorName, replacement]);
}

/** Hexadecimal SHA-256. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The part of a text between two positions, counted from 0. */
function textAt(text: string, { start, end }: Location): string {
  const lines = text.split("\n").slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? "").slice(0, end.column);
  lines[0] = (lines[0] ?? "").slice(start.column);
  return lines.join("\n");
}
