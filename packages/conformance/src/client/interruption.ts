import type { Trouble } from "./trouble.ts";

/** Reason why a case can't continue. */
export type InterruptionCause =
  /** No response, or an incomplete one. */
  | { readonly kind: "no-response"; readonly trouble: Trouble }
  /** The response exceeds the limit of bytes. */
  | { readonly kind: "too-large"; readonly limit: number }
  /** The server repeatedly requested a later retry. */
  | { readonly kind: "busy"; readonly text: string }
  /** The run has no time or no requests left, or was aborted. */
  | { readonly kind: "ended"; readonly text: string }
  /** The operation was called as often as the run allows. */
  | { readonly kind: "budget"; readonly text: string }
  /** The request might write. */
  | { readonly kind: "withheld"; readonly text: string }
  /** The case does not apply to this target. */
  | { readonly kind: "skipped"; readonly text: string };

/** Exception that ends a case from within a request; the run catches it. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly why: InterruptionCause;

  constructor(why: InterruptionCause) {
    super(`the case was interrupted: ${why.kind}`);
    this.why = why;
  }
}
