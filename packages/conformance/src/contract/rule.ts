/** RFC 2119: what breaks a `MUST` fails a run, a `SHOULD` is a warning, a `MAY` a remark. */
export type Level = "MUST" | "SHOULD" | "MAY";

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
}

/** Makes a rule of the columns of a table. */
export function rule(id: string, level: Level, title: string, source: string): Rule {
  return { id, level, title, source };
}
