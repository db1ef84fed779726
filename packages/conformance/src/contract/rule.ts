/**
 * `MUST`, `SHOULD` and `MAY` are those of RFC 2119, said by the document or by a specification. A `heuristic` rests on a guess from names
 * or values. By default a run fails where a `MUST` is broken, with `--strict` where a `SHOULD` or a heuristic is too; a `MAY` is no
 * requirement, and only warned of.
 */
export type Level = "MUST" | "SHOULD" | "heuristic" | "MAY";

/** The least level of a broken rule that fails a run; `heuristic` with `--strict`. */
export type FailOn = Exclude<Level, "MAY">;

const failing: Readonly<Record<FailOn, readonly Level[]>> = {
  MUST: ["MUST"],
  SHOULD: ["MUST", "SHOULD"],
  heuristic: ["MUST", "SHOULD", "heuristic"],
};

/** Returns whether a run fails where a rule of this level is broken. */
export function failsRun(level: Level, failOn: FailOn): boolean {
  return failing[failOn].includes(level);
}

/** What a case holds an answer to. Rules are constants of the room that checks them. */
export interface Rule {
  /** Two to six capital letters and digits, unique and the same for ever: baselines and reports of others name it. */
  readonly id: string;
  readonly level: Level;
  /** One sentence that says what is right: "A method that a path does not have is answered with 405". */
  readonly title: string;
  /** Who says so: "RFC 9110, section 15.5.6", "the description". */
  readonly source: string;
  /** Ids of rules that this one has replaced: baselines may still name them. */
  readonly aliases?: readonly string[];
  /** True of a heuristic that correct servers break as well: an answer that breaks it still is a source of other cases' inputs. */
  readonly isWeak?: boolean;
}

/** A rule in a table: id, level, title, source; then `weak` for `isWeak`, and `replaces` with the ids of `aliases`. */
type RuleText = `${string} | ${Level} | ${string} | ${string}`;

/**
 * Returns the rules of a table, by the names that the code has for them. Ids stay for ever; that of a rule that is given up is not used
 * again. `sources`: the first word of a source → what it stands for.
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

/** Makes a rule of the columns of a table. */
export function rule(id: string, level: Level, title: string, source: string, strength?: "weak"): Rule {
  return { id, level, title, source, ...(strength === undefined ? {} : { isWeak: true }) };
}
