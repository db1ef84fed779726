/** RFC 2119: what breaks a `MUST` fails a run, a `SHOULD` is a warning, a `MAY` a remark. */
export type Level = "MUST" | "SHOULD" | "MAY";

/** What a case holds an answer to. Rules are constants of the room that checks them. */
export interface Rule {
  /** Two to six capital letters and digits, unique and the same for ever: baselines and reports of others name it. */
  readonly id: string;
  readonly level: Level;
  /** One sentence: "A path answers a method that it does not have with 405". */
  readonly title: string;
  /** Where it is written, besides the description: "RFC 9110, section 15.5.6". */
  readonly source?: string;
}
