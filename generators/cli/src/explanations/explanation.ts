/** The text that `nodewright explain CODE` shows for a diagnostic in addition to its message. */
export interface Explanation {
  /** Why it is reported, and what would happen otherwise. */
  readonly cause: string;
  /** Part of a document that causes it. */
  readonly example: string;
  /** Action that resolves it. */
  readonly remedy: string;
}

/** Explanations by the part of the code after the slash. */
export type Explanations = Readonly<Record<string, Explanation>>;
