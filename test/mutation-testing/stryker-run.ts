/** Environment variable that names the file of a `StrykerRun`. */
export const strykerRunVariable = "NODEWRIGHT_STRYKER_RUN";

/** Environment variable with the patterns of a run's test files, separated by commas. */
export const testFilesVariable = "NODEWRIGHT_STRYKER_TESTS";

/** What Stryker's plugin is to do: the mutants to test, and where their verdicts go. */
export interface StrykerRun {
  /** In the order of testing. */
  readonly mutants: readonly RunMutant[];
  /** Digest of the package's tests. */
  readonly tests: string;
  /** The file of a `VerdictStore`. */
  readonly store: string;
}

interface RunMutant {
  readonly id: string;
  /** Of `placeOf`. */
  readonly place: string;
  /** Digest of the mutated file. */
  readonly source: string;
}
