import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { MutantStatus } from "@stryker-mutator/api/core";
import type { ListedMutant } from "./mutants.ts";

/** The verdict on a mutant, as it is kept. */
export interface StoredVerdict {
  readonly id: string;
  readonly status: MutantStatus;
  readonly isStatic: boolean;
  /** Digest of the mutated file. */
  readonly source: string;
  /** Digest of the package's tests. */
  readonly tests: string;
}

/** What the verdict on a mutant depends on. */
export interface VerdictBasis {
  /** Digest of each source file, by its path. */
  readonly sources: ReadonlyMap<string, string>;
  /** Digest of all test files of the package. */
  readonly tests: string;
}

const detected: ReadonlySet<MutantStatus> = new Set(["Killed", "Timeout"]);

/** Whether a test noticed the mutant. */
function isDetected(status: MutantStatus): boolean {
  return detected.has(status);
}

/** Verdicts of one package and seed, one JSON value a line, appended as they come. */
export class VerdictStore {
  readonly #path: string;
  readonly #verdicts = new Map<string, StoredVerdict>();

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, "utf8").split("\n")) {
      const verdict = readLine(line);
      if (verdict !== undefined) this.#verdicts.set(verdict.id, verdict);
    }
  }

  /**
   * Returns the verdict that still holds: the mutated file is the same and, unless a test noticed the mutant, so are the tests. What
   * other sources a test depends on is left out of account.
   */
  find({ id, file }: ListedMutant, basis: VerdictBasis): StoredVerdict | undefined {
    const verdict = this.#verdicts.get(id);
    if (verdict === undefined || verdict.source !== basis.sources.get(file)) return undefined;
    return isDetected(verdict.status) || verdict.tests === basis.tests ? verdict : undefined;
  }

  add(verdict: StoredVerdict): void {
    this.#verdicts.set(verdict.id, verdict);
    // A run may have been cut within the last line: the separator comes first, so that this verdict is not glued to it.
    appendFileSync(this.#path, `\n${JSON.stringify(verdict)}`);
  }
}

/** Returns undefined for an empty line, and for one that a run was cut in while it wrote. */
function readLine(line: string): StoredVerdict | undefined {
  try {
    return JSON.parse(line) as StoredVerdict;
  } catch {
    return undefined;
  }
}
