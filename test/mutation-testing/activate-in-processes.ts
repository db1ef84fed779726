// Stryker activates a mutant in the process of the test. Instrumented sources that a test starts as a process or worker of their own read
// this variable, which they inherit.
import { inject } from "vitest";

/** Values that Stryker's runner provides; undefined in its first run, without mutants. */
const provided = inject as (name: string) => string | undefined;

if (provided("mode") === "mutant") process.env["__STRYKER_ACTIVE_MUTANT__"] = provided("activeMutant");
