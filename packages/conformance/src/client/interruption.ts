import type { Trouble } from "./trouble.ts";

/** Why a case can't go on. */
export type InterruptionCause =
  /** No answer came, or not a whole one. */
  | { readonly kind: "no-answer"; readonly trouble: Trouble }
  /** The answer goes on beyond the limit of bytes. */
  | { readonly kind: "too-large"; readonly limit: number }
  /** The server said again and again that it has to be asked later. */
  | { readonly kind: "busy"; readonly text: string }
  /** The run has no time or no requests left, or was told to end. */
  | { readonly kind: "ended"; readonly text: string }
  /** The operation was called as often as the run allows. */
  | { readonly kind: "budget"; readonly text: string }
  /** The request might change something. */
  | { readonly kind: "withheld"; readonly text: string }
  /** The case says nothing about this target. */
  | { readonly kind: "skipped"; readonly text: string };

/** Ends a case from within a request; the run catches it. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly why: InterruptionCause;

  constructor(why: InterruptionCause) {
    super(`the case was interrupted: ${why.kind}`);
    this.why = why;
  }
}
