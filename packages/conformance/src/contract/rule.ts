/**
 * `MUST`, `SHOULD` and `MAY` have the meaning of RFC 2119, and come from the document or a specification. A `heuristic` is inferred from
 * names or values. By default a run fails for a violated `MUST`, with `--strict` also for a `SHOULD` or a heuristic; a `MAY` is not a
 * requirement, and only causes a warning.
 */
export type Level = "MUST" | "SHOULD" | "heuristic" | "MAY";

/** Lowest level of a violated rule that fails a run; `heuristic` with `--strict`. */
export type FailOn = Exclude<Level, "MAY">;

const failing: Readonly<Record<FailOn, readonly Level[]>> = {
  MUST: ["MUST"],
  SHOULD: ["MUST", "SHOULD"],
  heuristic: ["MUST", "SHOULD", "heuristic"],
};

/** Returns whether a violated rule of this level fails a run. */
export function failsRun(level: Level, failOn: FailOn): boolean {
  return failing[failOn].includes(level);
}

/** A requirement that cases check. Rules are constants of the module that checks them. */
export interface Rule {
  /** Unique id of two to six capital letters and digits. It never changes, since baselines and third-party reports refer to it. */
  readonly id: string;
  readonly level: Level;
  /** The requirement in one sentence: "A method that a path does not have results in 405". */
  readonly title: string;
  /** Source of the requirement: "RFC 9110, section 15.5.6", "the description". */
  readonly source: string;
  /** Ids of rules that this one replaced: baselines may still refer to them. */
  readonly aliases?: readonly string[];
  /** Whether correct servers violate this heuristic as well: a response with such a violation is still a source of other cases' inputs. */
  readonly isWeak?: boolean;
}

/** A rule in a table: id, level, title, source; then `weak` for `isWeak`, and `replaces` with the ids of `aliases`. */
type RuleText = `${string} | ${Level} | ${string} | ${string}`;

/**
 * Returns the rules of a table, by their names in the code. Ids are permanent; that of a removed rule is not reused. `sources`:
 * abbreviation at the beginning of a source → its name.
 */
export function rulesOf<Name extends string>(
  table: Readonly<Record<Name, RuleText>>,
  sources: Readonly<Record<string, string>> = {},
): Readonly<Record<Name, Rule>> {
  const entries = Object.entries<RuleText>(table).map(([name, text]): [string, Rule] => {
    const [id = "", level = "", title = "", origin = "", ...more] = text.split(" | ");
    const source = origin.replace(/^\w+/, (word) => sources[word] ?? word);
    const aliases = more
      .find((column) => column.startsWith("replaces "))
      ?.split(" ")
      .slice(1);
    const isWeak = more.includes("weak");
    return [
      name,
      { id, level: level as Level, title, source, ...(isWeak ? { isWeak } : {}), ...(aliases ? { aliases } : {}) },
    ];
  });
  return Object.fromEntries(entries) as Record<Name, Rule>;
}

/** Creates a rule from the columns of a table. */
export function rule(id: string, level: Level, title: string, source: string, strength?: "weak"): Rule {
  return { id, level, title, source, ...(strength === undefined ? {} : { isWeak: true }) };
}
