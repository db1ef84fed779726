/** Who reads a command line: the words that a help shows in front of the URL. */
export type ConformProgram = "nodewright conform" | "conformance";

/** The headings of a help, in its order. */
export const optionGroups = [
  "Document",
  "Access",
  "What is played",
  "How it is played",
  "Known failures",
  "Reports",
] as const;

/** An option of the command line, as data: what is read from words and what a help says are made from it. */
export interface ConformOption {
  /** Without dashes. */
  readonly name: string;
  readonly short?: string;
  /**
   * `flag` takes no value, `list` may be given several times. `count` is a whole number from 1, `rate` any number above 0, `duration`
   * a number with a unit.
   */
  readonly type: "flag" | "text" | "list" | "count" | "rate" | "duration" | "choice";
  /** What stands for the value in a help: `FILE`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly description: string;
  /** As a help shows it. */
  readonly default?: string;
  readonly group: (typeof optionGroups)[number];
  /** Options that make no sense beside it. */
  readonly conflicts?: readonly string[];
  /** Options without which it makes no sense, any of them. */
  readonly needs?: readonly string[];
  /** Absent: both. */
  readonly program?: ConformProgram;
}
