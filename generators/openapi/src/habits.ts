import type { SourceRange } from "@nodewright/source";

/** Something that a document may do a thousand times, and that a person wants to hear of once. */
export interface Habits {
  /** Notes one more occurrence; `tell` is called at the end with the first one's place and how many there were. */
  note(habit: string, source: SourceRange, tell: (source: SourceRange, others: string) => void): void;
  /** Tells each habit once, in the order in which they were first met. */
  reportAll(): void;
}

interface Habit {
  readonly source: SourceRange;
  readonly tell: (source: SourceRange, others: string) => void;
  count: number;
}

export function createHabits(): Habits {
  const habits = new Map<string, Habit>();
  return {
    note(habit, source, tell) {
      const known = habits.get(habit);
      if (known === undefined) habits.set(habit, { source, tell, count: 1 });
      else known.count += 1;
    },
    reportAll() {
      for (const { source, tell, count } of habits.values()) tell(source, otherPlaces(count - 1));
    },
  };
}

/** What a message ends with: nothing, ` (here and at 1 other place)`, ` (here and at 947 other places)`. */
function otherPlaces(count: number): string {
  if (count === 0) return "";
  return ` (here and at ${count} other place${count === 1 ? "" : "s"})`;
}
