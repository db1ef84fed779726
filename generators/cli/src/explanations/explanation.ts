/** What `nodewright explain CODE` says of a diagnostic beyond its message. */
export interface Explanation {
  /** Why it is told, and what would happen otherwise. */
  readonly cause: string;
  /** A piece of a document that gives it. */
  readonly example: string;
  /** What to do. */
  readonly remedy: string;
}

/** By the part of the code behind the slash. */
export type Explanations = Readonly<Record<string, Explanation>>;
