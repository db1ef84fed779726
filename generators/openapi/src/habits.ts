import type { SourceRange } from "@nodewright/source";

/** Collector of problems that a document may have thousands of times and that are reported once. */
export interface Habits {
  /** Records an occurrence. `reportAll` calls the first `tell` of each habit with its place and the count of the others as a phrase. */
  note(habit: string, source: SourceRange, reportProblem: (source: SourceRange, others: string) => void): void;
  /** Reports each habit once, in order of first occurrence. */
  reportAll(): void;
}

interface Habit {
  readonly source: SourceRange;
  readonly reportProblem: (source: SourceRange, others: string) => void;
  count: number;
}

export function createHabits(): Habits {
  const habits = new Map<string, Habit>();
  return {
    note(habit, source, reportProblem) {
      const known = habits.get(habit);
      if (known === undefined) habits.set(habit, { source, reportProblem, count: 1 });
      else known.count += 1;
    },
    reportAll() {
      for (const { source, reportProblem, count } of habits.values()) reportProblem(source, otherPlaces(count - 1));
    },
  };
}

/** Returns the end of a message: nothing, ` (here and at 1 other place)`, ` (here and at 947 other places)`. */
function otherPlaces(count: number): string {
  if (count === 0) return "";
  return ` (here and at ${count} other place${count === 1 ? "" : "s"})`;
}
